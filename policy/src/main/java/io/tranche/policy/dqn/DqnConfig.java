package io.tranche.policy.dqn;

import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.Exploration;
import io.tranche.tensor.AdamConfig;

/// Settings of [Dqn].
///
/// @param optimiser learning rate and weight decay
/// @param discount the weight of the next step's reward
/// @param steps the number of rewards that are summed before the rest is estimated
/// @param targetInterval after how many minibatches the network that estimates becomes a copy of
///   the one that learns; 0 if they are the same
/// @param doubles whether the network that learns chooses the action whose value the other one
///   estimates (van Hasselt et al., 2016)
/// @param loss of the distance between a value and its target
/// @param quantiles how many quantiles of its return an action has (Dabney et al., 2018); 1 for
///   plain values
/// @param tail which share of the quantiles, the worst, actions are chosen by: their conditional
///   value at risk; 1 for the mean of all
/// @param softmax whether values are probabilities, as Qlib has it, instead of any numbers
/// @param maxNorm the largest norm of the gradients; 0 for no limit
/// @param minibatches how many are drawn from all experience in an update, times its repeats; 0 for
///   one step on everything whatever the settings of the update say, as Qlib has it
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
    /// Squared up to 1, then linear; with quantiles, weighted by which side of them it is on.
    HUBER
  }

  private static final AdamConfig OPTIMISER = AdamConfig.of(1e-3);
  private static final Exploration FADING =
      new Exploration(1, 0.05, 50, Exploration.Fade.LINEAR, Exploration.Clock.UPDATES);

  /// Sound defaults for plain values.
  public static final DqnConfig DEFAULT =
      new DqnConfig(OPTIMISER, 1, 1, 100, true, Loss.HUBER, 1, 1, false, 10, 16, FADING);

  /// Sound defaults for quantiles.
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

  /// Returns how the outputs of the network are read.
  ///
  /// @param choices how many actions there are
  public ActionValues values(int choices) {
    return new ActionValues(choices, quantiles, tail, softmax);
  }

  public DqnConfig withLearningRate(double rate) {
    return copy(AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()), quantiles, tail);
  }

  /// @param share which of the quantiles, the worst, actions are chosen by
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
