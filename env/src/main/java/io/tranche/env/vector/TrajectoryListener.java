package io.tranche.env.vector;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;

/// Takes in what the collector experiences: what a replay buffer implements. Called on the
/// collector's thread; observations are handed over as references, never copied.
///
/// @param <O> the observation
public interface TrajectoryListener<O extends Observation> {

  /// A step was taken.
  ///
  /// @param env where; steps of one environment come in order
  /// @param episode its number: the same wherever it runs
  /// @param step which decision of the episode this is, from 0 on
  /// @param drawKey the key that the policy drew its action from
  void transition(
      int env,
      long episode,
      int step,
      O observation,
      Action action,
      double reward,
      boolean done,
      O next,
      long drawKey);

  /// The episode under way in `env` failed and is to be forgotten, with the steps of it that were
  /// handed over already.
  default void abandoned(int env, long episode) {}
}
