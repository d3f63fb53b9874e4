package io.tranche.policy.sac;

import io.tranche.tensor.AdamConfig;
import org.jspecify.annotations.Nullable;

/// Settings of [Sac].
///
/// @param optimiser learning rate and weight decay of actor, critics and temperature
/// @param discount the weight of the next step's reward
/// @param tracking how far the target critics move towards the critics after each minibatch, in (0,
///   1]
/// @param temperature the weight of the entropy at the start, positive
/// @param targetEntropy the entropy that the temperature is learnt to keep, per number of an
///   action, as if its range were [-1, 1]; null to keep the temperature as it is
/// @param hidden the width of the critics' layer that joins features and action
/// @param maxNorm the maximum norm of the gradients; 0 for no limit
/// @param minibatches number drawn from all experience per repeat of an update
public record SacConfig(
    AdamConfig optimiser,
    double discount,
    double tracking,
    double temperature,
    @Nullable Double targetEntropy,
    int hidden,
    double maxNorm,
    int minibatches) {

  /// The defaults.
  public static final SacConfig DEFAULT =
      new SacConfig(AdamConfig.of(1e-3), 1, 0.01, 0.01, -1.0, 32, 10, 16);

  public SacConfig {
    require(discount >= 0 && discount <= 1, "discount must be in [0, 1]", discount);
    require(tracking > 0 && tracking <= 1, "tracking must be in (0, 1]", tracking);
    require(
        temperature > 0 && Double.isFinite(temperature),
        "temperature must be positive and finite",
        temperature);
    if (targetEntropy != null) {
      require(Double.isFinite(targetEntropy), "targetEntropy must be finite", targetEntropy);
    }
    require(hidden >= 1, "hidden must be at least 1", hidden);
    require(maxNorm >= 0, "maxNorm must not be negative", maxNorm);
    require(minibatches >= 1, "minibatches must be at least 1", minibatches);
  }

  private static void require(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", was " + value);
    }
  }

  public SacConfig withLearningRate(double rate) {
    return new SacConfig(
        AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()),
        discount,
        tracking,
        temperature,
        targetEntropy,
        hidden,
        maxNorm,
        minibatches);
  }
}
