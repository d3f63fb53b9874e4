package io.tranche.policy.learn;

import io.tranche.policy.experience.Batching;

/// How an update goes through the experience. Qlib: `update_kwargs`.
///
/// @param batchSize the approximate number of steps per minibatch; 0 for one minibatch of all steps
/// @param repeat the number of passes over the experience
public record UpdateSettings(int batchSize, int repeat, Batching batching) {

  public UpdateSettings {
    if (batchSize < 0) {
      throw new IllegalArgumentException("batchSize must not be negative, was " + batchSize);
    }
    if (repeat < 1) {
      throw new IllegalArgumentException("repeat must be at least 1, was " + repeat);
    }
  }
}
