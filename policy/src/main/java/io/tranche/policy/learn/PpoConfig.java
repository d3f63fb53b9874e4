package io.tranche.policy.learn;

import io.tranche.tensor.AdamConfig;
import org.jspecify.annotations.Nullable;

/// Settings of [Ppo].
///
/// @param optimiser learning rate and weight decay
/// @param discount what the next step's reward is worth
/// @param lambda of the advantages: 0 trusts the values, 1 the rewards
/// @param clip how far the probability of an action may move, as a ratio, before it stops paying
/// @param dualClip limits what a bad action may cost, as a multiple of its advantage, more than 1;
///   null for no limit
/// @param valueClip whether values are clipped in the same way; needs `normalizesRewards`
/// @param valueWeight what the loss of the values counts for
/// @param entropyWeight what the entropy counts for
/// @param maxNorm how long the gradients may be; 0 for no limit
/// @param normalizesRewards whether returns are divided by their running standard deviation
/// @param normalizesAdvantages whether advantages have mean 0 and standard deviation 1 in every
///   minibatch
/// @param advantageEpsilon added to that standard deviation; with 0, as Qlib has it, a minibatch of
///   one step gives NaN, otherwise it is left as it is
/// @param recomputesAdvantages whether advantages are worked out anew before every repeat
/// @param deterministicEvaluation whether evaluation takes the likeliest action instead of drawing
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

  public PpoConfig {
    if (valueClip && !normalizesRewards) {
      throw new IllegalArgumentException("valueClip needs normalizesRewards, was without");
    }
    if (dualClip != null && !(dualClip > 1)) {
      throw new IllegalArgumentException("dualClip must be above 1, was " + dualClip);
    }
    if (!(maxNorm >= 0)) {
      throw new IllegalArgumentException("maxNorm must not be negative, was " + maxNorm);
    }
  }

  /// Qlib's defaults.
  public static PpoConfig qlib(AdamConfig optimiser) {
    return new PpoConfig(
        optimiser, 1, 1, 0.3, null, true, 1, 0.01, 100, true, true, 0, false, true);
  }
}
