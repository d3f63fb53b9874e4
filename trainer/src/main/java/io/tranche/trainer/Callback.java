package io.tranche.trainer;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Called at every [Hook] of a run, on the trainer's thread. It may read the trainer, ask it to
/// stop, and keep a state of its own in checkpoints. Qlib: `qlib.rl.trainer.Callback`.
public interface Callback {

  /// Returns the name by which checkpoints know it; a second one of the same name gets a number.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// Called at every hook, in the order of the trainer's list.
  void on(Hook hook, Trainer trainer);

  /// Called after [#on] of all callbacks. Their states now belong together and can be saved; no
  /// state may change here.
  default void after(Hook hook, Trainer trainer) {}

  /// Returns what a checkpoint has to keep for [#restore], or null if nothing: plain values (Map
  /// with texts as keys, List, String, Long, Double, Boolean, null). Maps need an order that is the
  /// same in every run, as that of `LinkedHashMap` is.
  default @Nullable Map<String, @Nullable Object> state() {
    return null;
  }

  /// Takes over what [#state] returned. Called before [Hook#FIT_START] of a resumed run.
  ///
  /// @throws IllegalArgumentException if the state is something else
  default void restore(Map<String, @Nullable Object> state) {}

  /// Returns its state as a checkpoint in Qlib's layout has it.
  default @Nullable Map<String, @Nullable Object> qlibState() {
    return state();
  }
}
