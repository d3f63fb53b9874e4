package io.tranche.env;

import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One episode of a decision problem. Created from an initial state, changed only by [#step],
/// discarded when done. Qlib: `qlib.rl.simulator.Simulator`.
///
/// @param <S> its state as the rest of the system sees it
/// @param <A> its action
public interface Simulator<S, A> {

  S state();

  boolean isDone();

  /// Advances the episode by one decision.
  ///
  /// @throws IllegalStateException if the episode is already done
  void step(A action);

  /// Adds its own series to the picture of the episode so far.
  default void draw(EpisodePlot picture) {}

  /// Returns an episode of immutable states.
  ///
  /// @param next returns the state after an action
  static <S, A> Simulator<S, A> of(
      S first, BiFunction<? super S, ? super A, ? extends S> next, Predicate<? super S> isDone) {
    return new Simulator<>() {
      private S state = first;

      @Override
      public S state() {
        return state;
      }

      @Override
      public boolean isDone() {
        return isDone.test(state);
      }

      @Override
      public void step(A action) {
        if (isDone()) {
          throw new IllegalStateException("episode must not be done, was done at " + state);
        }
        state = next.apply(state, action);
      }
    };
  }

  /// Makes the simulator of one episode.
  ///
  /// @param <I> what an episode begins with, such as an order
  @FunctionalInterface
  interface Factory<I extends @Nullable Object, S, A> {

    /// @param context gives access to the log; valid for the whole episode
    Simulator<S, A> create(I initialState, EnvContext context);
  }
}
