package io.tranche.env.vector;

import io.tranche.env.Observation;

/// Receives what a collector experiences: what a replay buffer implements. Called on the
/// collector's thread.
///
/// @param <O> the observation
public interface TrajectoryListener<O extends Observation> {

  /// A step was taken.
  void step(Transition<O> transition);

  /// The episode under way in `env` failed: forget the steps of it that were handed over already.
  default void abandoned(int env, long episode) {}
}
