package io.tranche.env;

import org.jspecify.annotations.Nullable;

/// One episode of a decision problem. Born from an initial state, changed only by [#step], thrown
/// away when done. Qlib: `qlib.rl.simulator.Simulator`.
///
/// @param <S> what the rest of the system may see of it
/// @param <A> what it accepts
public interface Simulator<S, A> {

  S state();

  boolean isDone();

  /// Advances the episode by one decision.
  ///
  /// @throws IllegalStateException if the episode is already done
  void step(A action);

  /// Adds what is worth seeing of the episode so far to its picture.
  default void draw(EpisodePlot picture) {}

  /// Makes the simulator of one episode.
  ///
  /// @param <I> what an episode begins with, such as an order
  @FunctionalInterface
  interface Factory<I extends @Nullable Object, S, A> {

    /// @param context where the episode may log to; valid as long as the episode
    Simulator<S, A> create(I initialState, EnvContext context);
  }
}
