package io.tranche.policy.ppo;

import io.tranche.tensor.AdamConfig;
import org.jspecify.annotations.Nullable;

/// Settings of [Ppo].
///
/// @param optimiser learning rate and weight decay
/// @param discount the weight of the next step's reward
/// @param lambda lambda of the advantages: 0 trusts the values, 1 the rewards
/// @param clip how far an action's probability ratio may move from 1 before the gain is clipped
/// @param dualClip limits the loss of a bad action, as a multiple of its advantage, above 1; null
///   for no limit
/// @param valueClip whether values are clipped in the same way; needs `normalizesRewards`
/// @param valueWeight the weight of the value loss
/// @param entropyWeight the weight of the entropy
/// @param maxNorm the maximum norm of the gradients; 0 for no limit
/// @param normalizesRewards whether returns are divided by their running standard deviation
/// @param normalizesAdvantages whether advantages are scaled to mean 0 and standard deviation 1 in
///   every minibatch
/// @param advantageEpsilon added to that standard deviation; with 0, as in Qlib, a minibatch of one
///   step gives NaN, otherwise such a minibatch is left unscaled
/// @param recomputesAdvantages whether advantages are computed again before every repeat
/// @param deterministicEvaluation whether evaluation takes the likeliest action instead of sampling
public record PpoConfig(
    AdamConfig optimiser,
    double discount,
    double lambda,
    double clip,
    @Nullable Double dualClip,
    boolean valueClip,
    double valueWeight,
    double entropyWeight,
    double maxNorm,
    boolean normalizesRewards,
    boolean normalizesAdvantages,
    double advantageEpsilon,
    boolean recomputesAdvantages,
    boolean deterministicEvaluation) {

  /// The native defaults.
  public static final PpoConfig DEFAULT = defaults(1e-8);

  /// Qlib's defaults.
  public static final PpoConfig QLIB = defaults(0);

  private static PpoConfig defaults(double epsilon) {
    var adam = AdamConfig.of(1e-3);
    return new PpoConfig(
        adam, 1, 1, 0.3, null, true, 1, 0.01, 100, true, true, epsilon, false, true);
  }

  public PpoConfig {
    require(discount >= 0 && discount <= 1, "discount must be in [0, 1]", discount);
    require(lambda >= 0 && lambda <= 1, "lambda must be in [0, 1]", lambda);
    require(clip >= 0, "clip must not be negative", clip);
    require(Double.isFinite(valueWeight), "valueWeight must be finite", valueWeight);
    require(Double.isFinite(entropyWeight), "entropyWeight must be finite", entropyWeight);
    require(advantageEpsilon >= 0, "advantageEpsilon must not be negative", advantageEpsilon);
    if (valueClip && !normalizesRewards) {
      throw new IllegalArgumentException("valueClip needs normalizesRewards, was without it");
    }
    if (dualClip != null) {
      require(dualClip > 1, "dualClip must be above 1", dualClip);
    }
    require(maxNorm >= 0, "maxNorm must not be negative", maxNorm);
  }

  private static void require(boolean holds, String rule, double value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", was " + value);
    }
  }

  public PpoConfig withLearningRate(double rate) {
    return copy(
        AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()),
        discount,
        lambda,
        clip,
        entropyWeight);
  }

  public PpoConfig withDiscount(double other) {
    return copy(optimiser, other, lambda, clip, entropyWeight);
  }

  public PpoConfig withLambda(double other) {
    return copy(optimiser, discount, other, clip, entropyWeight);
  }

  public PpoConfig withClip(double other) {
    return copy(optimiser, discount, lambda, other, entropyWeight);
  }

  public PpoConfig withEntropyWeight(double other) {
    return copy(optimiser, discount, lambda, clip, other);
  }

  private PpoConfig copy(
      AdamConfig adam, double newDiscount, double newLambda, double newClip, double entropy) {
    return new PpoConfig(
        adam,
        newDiscount,
        newLambda,
        newClip,
        dualClip,
        valueClip,
        valueWeight,
        entropy,
        maxNorm,
        normalizesRewards,
        normalizesAdvantages,
        advantageEpsilon,
        recomputesAdvantages,
        deterministicEvaluation);
  }
}
