package io.tranche.policy.ppo;

import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.InvalidActions;
import io.tranche.tensor.AdamConfig;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Settings of [Ppo]. Sources: *PPO* is Schulman et al. 2017 (arXiv 1707.06347), *GAE* Schulman et
/// al. 2016 (1506.02438), *study* Andrychowicz et al. 2021 (2006.05990), which compares ranges.
///
/// @param optimiser learning rate, usually 1e-5 to 1e-3 (study, 3.7), and weight decay, usually 0
/// @param discount the weight of the next step's reward: 1 where episodes have a known end, as
///   orders do, otherwise 0.95 to 0.999 (study, 3.6; Qlib: 1)
/// @param lambda lambda of the advantages: 0 trusts the values, 1 the rewards; usually 0.9 to 1
///   (GAE, 3; Qlib: 1)
/// @param clip how far an action's probability ratio may move from 1 before the gain is clipped:
///   0.1 to 0.3 (PPO, 3; Qlib: 0.3)
/// @param dualClip limits the loss of a bad action, as a multiple of its advantage, above 1,
///   usually 3 (Ye et al. 2020, arXiv 1912.09729, dual-clip); null for no limit
/// @param valueClip whether values are clipped in the same way; needs `normalizesRewards`. Without
///   effect or harmful in the study (3.4); on in Qlib
/// @param valueWeight the weight of the value loss: 0.25 to 1 (PPO, 5, `c1`; Qlib: 1)
/// @param entropyWeight the weight of the entropy: 0 to 0.01, more for more exploration (PPO, 5,
///   `c2`; tianshou: 0.01)
/// @param maxNorm the maximum norm of the gradients, usually 0.5 to 100 (study, 3.3: 0.5; Qlib:
///   100); 0 for no limit
/// @param normalizesRewards whether returns are divided by their running standard deviation: on,
///   unless rewards are about 1 (tianshou, `reward_normalization`)
/// @param normalizesAdvantages whether advantages are scaled to mean 0 and standard deviation 1 in
///   every minibatch (study, 3.3: little effect)
/// @param advantageEpsilon added to that standard deviation, usually 1e-8; with 0, as in Qlib, a
///   minibatch of one step gives NaN, otherwise such a minibatch is left unscaled
/// @param recomputesAdvantages whether advantages are computed again before every repeat (study,
///   3.5: better; tianshou: off)
/// @param deterministicEvaluation whether evaluation takes the likeliest action instead of
///   sampling: on, unless the policy must stay random (Qlib: on)
/// @param head the distribution of continuous actions: a squashed Gaussian, or a Beta distribution,
///   which has no weight beyond the bounds (Chou et al. 2017, PMLR 70); without effect on choices
/// @param invalidActions what becomes of a continuous action that is NaN: an error, unless orders
///   must go on without a sound model (Tranche's own)
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
    boolean deterministicEvaluation,
    Head head,
    InvalidActions invalidActions) {

  /// The native defaults.
  public static final PpoConfig DEFAULT = defaults(1e-8);

  /// Qlib's defaults.
  public static final PpoConfig QLIB = defaults(0);

  private static PpoConfig defaults(double epsilon) {
    var adam = AdamConfig.of(1e-3);
    return new PpoConfig(
        adam,
        1,
        1,
        0.3,
        null,
        true,
        1,
        0.01,
        100,
        true,
        true,
        epsilon,
        false,
        true,
        Head.GAUSSIAN,
        InvalidActions.ERROR);
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
    return withOptimiser(AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()));
  }

  public PpoConfig withOptimiser(AdamConfig other) {
    return with(draft -> draft.optimiser = other);
  }

  public PpoConfig withDiscount(double other) {
    return with(draft -> draft.discount = other);
  }

  public PpoConfig withLambda(double other) {
    return with(draft -> draft.lambda = other);
  }

  public PpoConfig withClip(double other) {
    return with(draft -> draft.clip = other);
  }

  /// @param other null for no limit
  public PpoConfig withDualClip(@Nullable Double other) {
    return with(draft -> draft.dualClip = other);
  }

  public PpoConfig withValueClip(boolean clips) {
    return with(draft -> draft.valueClip = clips);
  }

  public PpoConfig withValueWeight(double other) {
    return with(draft -> draft.valueWeight = other);
  }

  public PpoConfig withEntropyWeight(double other) {
    return with(draft -> draft.entropyWeight = other);
  }

  /// @param other 0 for no limit
  public PpoConfig withMaxNorm(double other) {
    return with(draft -> draft.maxNorm = other);
  }

  /// Returns this without normalised rewards, and so without clipped values, or with both.
  public PpoConfig withNormalizedRewards(boolean normalizes) {
    return with(
        draft -> {
          draft.normalizesRewards = normalizes;
          draft.valueClip = normalizes;
        });
  }

  public PpoConfig withNormalizedAdvantages(boolean normalizes) {
    return with(draft -> draft.normalizesAdvantages = normalizes);
  }

  public PpoConfig withAdvantageEpsilon(double other) {
    return with(draft -> draft.advantageEpsilon = other);
  }

  public PpoConfig withRecomputedAdvantages(boolean recomputes) {
    return with(draft -> draft.recomputesAdvantages = recomputes);
  }

  public PpoConfig withDeterministicEvaluation(boolean isDeterministic) {
    return with(draft -> draft.deterministicEvaluation = isDeterministic);
  }

  public PpoConfig withHead(Head other) {
    return with(draft -> draft.head = other);
  }

  public PpoConfig withInvalidActions(InvalidActions other) {
    return with(draft -> draft.invalidActions = other);
  }

  private PpoConfig with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toConfig();
  }

  /// A copy under change.
  private final class Draft {
    AdamConfig optimiser = PpoConfig.this.optimiser;
    double discount = PpoConfig.this.discount;
    double lambda = PpoConfig.this.lambda;
    double clip = PpoConfig.this.clip;
    @Nullable Double dualClip = PpoConfig.this.dualClip;
    boolean valueClip = PpoConfig.this.valueClip;
    double valueWeight = PpoConfig.this.valueWeight;
    double entropyWeight = PpoConfig.this.entropyWeight;
    double maxNorm = PpoConfig.this.maxNorm;
    boolean normalizesRewards = PpoConfig.this.normalizesRewards;
    boolean normalizesAdvantages = PpoConfig.this.normalizesAdvantages;
    double advantageEpsilon = PpoConfig.this.advantageEpsilon;
    boolean recomputesAdvantages = PpoConfig.this.recomputesAdvantages;
    boolean deterministicEvaluation = PpoConfig.this.deterministicEvaluation;
    Head head = PpoConfig.this.head;
    InvalidActions invalidActions = PpoConfig.this.invalidActions;

    PpoConfig toConfig() {
      return new PpoConfig(
          optimiser,
          discount,
          lambda,
          clip,
          dualClip,
          valueClip,
          valueWeight,
          entropyWeight,
          maxNorm,
          normalizesRewards,
          normalizesAdvantages,
          advantageEpsilon,
          recomputesAdvantages,
          deterministicEvaluation,
          head,
          invalidActions);
    }
  }
}
