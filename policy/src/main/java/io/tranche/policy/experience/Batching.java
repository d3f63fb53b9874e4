package io.tranche.policy.experience;

/// What minibatches are made of.
public enum Batching {
  /// Whole episodes: the encoder runs once for all steps of an episode.
  EPISODES,
  /// Single steps, independent of one another, as in tianshou.
  TRANSITIONS
}
