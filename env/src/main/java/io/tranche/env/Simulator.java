package io.tranche.env;

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

  /// Makes the simulator of one episode.
  ///
  /// @param <I> what an episode begins with, such as an order
  @FunctionalInterface
  interface Factory<I extends @Nullable Object, S, A> {

    /// @param context gives access to the log; valid for the whole episode
    Simulator<S, A> create(I initialState, EnvContext context);
  }
}
