package io.tranche.policy.dqn;

import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.Exploration;
import io.tranche.tensor.AdamConfig;

/// Settings of [Dqn].
///
/// @param optimiser learning rate and weight decay
/// @param discount the weight of the next step's reward
/// @param steps the number of rewards that are summed before the bootstrap value
/// @param targetInterval number of minibatches between two copies of the learning network to the
///   target network; 0 for no target network
/// @param doubles whether the learning network chooses the action whose value the target network
///   estimates (van Hasselt et al., 2016)
/// @param loss the loss of the distance between a value and its target
/// @param quantiles number of quantiles of an action's return (Dabney et al., 2018); 1 for plain
///   values
/// @param tail share of the worst quantiles by which actions are chosen (conditional value at
///   risk); 1 for the mean of all
/// @param softmax whether values are probabilities, as in Qlib, instead of arbitrary numbers
/// @param maxNorm the maximum norm of the gradients; 0 for no limit
/// @param minibatches number drawn from all experience per repeat of an update; 0 for a single step
///   on all experience whatever the update's settings, as in Qlib
/// @param exploration how often another action is tried
public record DqnConfig(
    AdamConfig optimiser,
    double discount,
    int steps,
    int targetInterval,
    boolean doubles,
    Loss loss,
    int quantiles,
    double tail,
    boolean softmax,
    double maxNorm,
    int minibatches,
    Exploration exploration) {

  /// The loss of a distance.
  public enum Loss {
    SQUARED,
    /// Squared up to 1, then linear; with quantiles, weighted by the sign of the distance.
    HUBER
  }

  private static final AdamConfig OPTIMISER = AdamConfig.of(1e-3);
  private static final Exploration FADING =
      new Exploration(1, 0.05, 50, Exploration.Fade.LINEAR, Exploration.Clock.UPDATES);

  /// Native defaults for plain values.
  public static final DqnConfig DEFAULT =
      new DqnConfig(OPTIMISER, 1, 1, 100, true, Loss.HUBER, 1, 1, false, 10, 16, FADING);

  /// Native defaults for quantiles.
  public static final DqnConfig QUANTILES = DEFAULT.withQuantiles(32, 1);

  /// Qlib's defaults.
  public static final DqnConfig QLIB =
      new DqnConfig(OPTIMISER, 0.99, 1, 0, true, Loss.SQUARED, 1, 1, true, 0, 0, Exploration.NONE);

  public DqnConfig {
    require(discount >= 0 && discount <= 1, "discount must be in [0, 1]", discount);
    require(steps >= 1, "steps must be at least 1", steps);
    require(targetInterval >= 0, "targetInterval must not be negative", targetInterval);
    require(quantiles >= 1, "quantiles must be at least 1", quantiles);
    require(quantiles == 1 || loss == Loss.HUBER, "quantiles need the Huber loss", loss);
    require(quantiles == 1 || !softmax, "quantiles must not be probabilities", softmax);
    require(tail > 0 && tail <= 1, "tail must be in (0, 1]", tail);
    require(tail == 1 || quantiles > 1, "a tail needs quantiles", tail);
    require(maxNorm >= 0, "maxNorm must not be negative", maxNorm);
    require(minibatches >= 0, "minibatches must not be negative", minibatches);
  }

  private static void require(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", was " + value);
    }
  }

  /// Returns the reader of the network's outputs.
  ///
  /// @param choices number of actions
  public ActionValues values(int choices) {
    return new ActionValues(choices, quantiles, tail, softmax);
  }

  public DqnConfig withLearningRate(double rate) {
    return copy(AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()), quantiles, tail);
  }

  /// @param share share of the worst quantiles by which actions are chosen
  public DqnConfig withQuantiles(int count, double share) {
    return copy(optimiser, count, share);
  }

  private DqnConfig copy(AdamConfig adam, int quantileCount, double share) {
    return new DqnConfig(
        adam,
        discount,
        steps,
        targetInterval,
        doubles,
        loss,
        quantileCount,
        share,
        softmax,
        maxNorm,
        minibatches,
        exploration);
  }
}
