package io.tranche.policy.network;

import io.tranche.env.space.Space;

/// What networks, agents and algorithms are made for, besides their own settings.
///
/// @param observations the space of observations
/// @param actions the space of actions
/// @param features the number of features per tick if observations show days; otherwise 0
/// @param threads the number of threads of the run; must change no result
/// @param seed the seed of the run
public record BuildContext(
    Space observations, Space actions, int features, int threads, long seed) {

  public BuildContext {
    if (features < 0 || threads < 1) {
      throw new IllegalArgumentException(
          "features must not be negative and threads must be positive, was %d and %d"
              .formatted(features, threads));
    }
  }

  /// Returns the context of a policy that is not trained: one thread, and the seed 0.
  public static BuildContext of(Space observations, Space actions, int features) {
    return new BuildContext(observations, actions, features, 1, 0);
  }

  public BuildContext withThreads(int count) {
    return new BuildContext(observations, actions, features, count, seed);
  }

  public BuildContext withSeed(long other) {
    return new BuildContext(observations, actions, features, threads, other);
  }
}
