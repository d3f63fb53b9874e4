package io.tranche.env.vector;

import io.tranche.env.Observation;

/// Receives the steps of a collector; a replay buffer implements it. Called on the collector's
/// thread.
///
/// @param <O> the observation
public interface TrajectoryListener<O extends Observation> {

  /// A step was taken.
  void step(Transition<O> transition);

  /// The current episode of `env` failed: discard its steps received so far.
  default void abandoned(int env, long episode) {}
}
