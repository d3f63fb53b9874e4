package io.tranche.trainer;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Called at every [Hook] of a run, on the trainer's thread. It may read the trainer, ask it to
/// stop, and keep its own state in checkpoints. Qlib: `qlib.rl.trainer.Callback`.
public interface Callback {

  /// Returns its name in checkpoints; a second callback with the same name gets a number.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// Called at every hook, in the order of the trainer's list.
  void on(Hook hook, Trainer trainer);

  /// Called after [#on] of all callbacks. Their states are now consistent and can be saved; no
  /// state may change here.
  default void after(Hook hook, Trainer trainer) {}

  /// Returns the state that a checkpoint keeps for [#restore], or null for none: plain values (Map
  /// with texts as keys, List, String, Long, Double, Boolean, null). Maps need the same order in
  /// every run, such as that of `LinkedHashMap`.
  default @Nullable Map<String, @Nullable Object> state() {
    return null;
  }

  /// Restores a state that [#state] returned. Called before [Hook#FIT_START] of a resumed run.
  ///
  /// @throws IllegalArgumentException if the state is of another kind
  default void restore(Map<String, @Nullable Object> state) {}

  /// Returns its state for a checkpoint in Qlib's layout.
  default @Nullable Map<String, @Nullable Object> qlibState() {
    return state();
  }
}
