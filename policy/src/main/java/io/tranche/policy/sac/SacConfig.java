package io.tranche.policy.sac;

import io.tranche.policy.agent.InvalidActions;
import io.tranche.tensor.AdamConfig;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Settings of [Sac]. Sources: *SAC* is Haarnoja et al. 2018 (arXiv 1812.05905), *first* the paper
/// before it (1801.01290), *DDPG* Lillicrap et al. 2016 (1509.02971).
///
/// @param optimiser learning rate of actor, critics and temperature, usually 1e-4 to 1e-3 (SAC,
///   appendix D: 3e-4), and weight decay, usually 0
/// @param discount the weight of the next step's reward: 1 where episodes have a known end, as
///   orders do, otherwise 0.95 to 0.999 (SAC, appendix D: 0.99)
/// @param tracking how far the target critics move towards the critics after each minibatch: 0.001
///   to 0.02 (DDPG: 0.001; SAC, appendix D: 0.005)
/// @param temperature the weight of the entropy at the start: 0.01 to 0.2 of what an action's
///   reward is worth (first, 5.2: the one setting that must fit the rewards)
/// @param targetEntropy the entropy that the temperature is learnt to keep, per number of an
///   action, as if its range were [-1, 1]: -2 to -0.5 (SAC, appendix D: -1); null to keep the
///   temperature as it is
/// @param hidden the width of the critics' layer that joins features and action: 32 to 256 (SAC,
///   appendix D: 256, for networks without features of their own)
/// @param maxNorm the maximum norm of the gradients, usually 1 to 40; 0 for no limit (SAC has none;
///   10 is Tranche's, as for [io.tranche.policy.dqn.Dqn])
/// @param minibatches number drawn from all experience per repeat of an update: about the number of
///   new steps, divided by the size of a minibatch and one to four (SAC, appendix D: one for every
///   step)
/// @param invalidActions what becomes of an action that is NaN: an error, unless orders must go on
///   without a sound model (Tranche's own)
public record SacConfig(
    AdamConfig optimiser,
    double discount,
    double tracking,
    double temperature,
    @Nullable Double targetEntropy,
    int hidden,
    double maxNorm,
    int minibatches,
    InvalidActions invalidActions) {

  /// The defaults.
  public static final SacConfig DEFAULT =
      new SacConfig(AdamConfig.of(1e-3), 1, 0.01, 0.01, -1.0, 32, 10, 16, InvalidActions.ERROR);

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
    return withOptimiser(AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()));
  }

  public SacConfig withOptimiser(AdamConfig other) {
    return with(draft -> draft.optimiser = other);
  }

  public SacConfig withDiscount(double other) {
    return with(draft -> draft.discount = other);
  }

  public SacConfig withTracking(double other) {
    return with(draft -> draft.tracking = other);
  }

  public SacConfig withTemperature(double other) {
    return with(draft -> draft.temperature = other);
  }

  /// @param other null to keep the temperature
  public SacConfig withTargetEntropy(@Nullable Double other) {
    return with(draft -> draft.targetEntropy = other);
  }

  public SacConfig withHidden(int width) {
    return with(draft -> draft.hidden = width);
  }

  /// @param other 0 for no limit
  public SacConfig withMaxNorm(double other) {
    return with(draft -> draft.maxNorm = other);
  }

  public SacConfig withMinibatches(int count) {
    return with(draft -> draft.minibatches = count);
  }

  public SacConfig withInvalidActions(InvalidActions other) {
    return with(draft -> draft.invalidActions = other);
  }

  private SacConfig with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toConfig();
  }

  /// A copy under change.
  private final class Draft {
    AdamConfig optimiser = SacConfig.this.optimiser;
    double discount = SacConfig.this.discount;
    double tracking = SacConfig.this.tracking;
    double temperature = SacConfig.this.temperature;
    @Nullable Double targetEntropy = SacConfig.this.targetEntropy;
    int hidden = SacConfig.this.hidden;
    double maxNorm = SacConfig.this.maxNorm;
    int minibatches = SacConfig.this.minibatches;
    InvalidActions invalidActions = SacConfig.this.invalidActions;

    SacConfig toConfig() {
      return new SacConfig(
          optimiser,
          discount,
          tracking,
          temperature,
          targetEntropy,
          hidden,
          maxNorm,
          minibatches,
          invalidActions);
    }
  }
}
