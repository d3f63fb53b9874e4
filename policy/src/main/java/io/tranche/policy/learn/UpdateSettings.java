package io.tranche.policy.learn;

import io.tranche.policy.experience.Batching;

/// How an update goes through the experience. Qlib: `update_kwargs`.
///
/// @param batchSize the approximate number of steps per minibatch, usually 64 to 4096 (Andrychowicz
///   et al. 2021, arXiv 2006.05990, 3.5; Qlib: 1024); 0 for one minibatch of all steps
/// @param repeat the number of passes over the experience, usually 3 to 25 for PPO (Andrychowicz et
///   al. 2021, 3.5: 10; Qlib: 25); for algorithms that replay, the minibatches are multiplied by it
/// @param batching whether the steps of an episode stay together, which is faster where they share
///   a day (Tranche's own), or are drawn one by one (tianshou)
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
