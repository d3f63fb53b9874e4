package io.tranche.policy.dqn;

import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.Exploration;
import io.tranche.tensor.AdamConfig;
import java.util.function.Consumer;

/// Settings of [Dqn]. Sources: *DQN* is Mnih et al. 2015 (Nature 518), *Rainbow* Hessel et al. 2018
/// (arXiv 1710.02298), which compares ranges.
///
/// @param optimiser learning rate, usually 1e-5 to 1e-3 (Rainbow, table 1: 6.25e-5), and weight
///   decay, usually 0
/// @param discount the weight of the next step's reward: 1 where episodes have a known end, as
///   orders do, otherwise 0.95 to 0.999 (DQN, methods: 0.99)
/// @param steps the number of rewards that are summed before the bootstrap value: 1 to 5 (Rainbow:
///   3)
/// @param targetInterval number of minibatches between two copies of the learning network to the
///   target network: 100 to 10,000 (DQN: 10,000); 0 for no target network, as in Qlib
/// @param doubles whether the learning network chooses the action whose value the target network
///   estimates (van Hasselt et al. 2016, arXiv 1509.06461)
/// @param loss the loss of the distance between a value and its target: Huber clips the gradient at
///   1 (DQN, methods)
/// @param quantiles number of quantiles of an action's return: 8 to 200 (Dabney et al. 2018, arXiv
///   1710.10044: 200); 1 for plain values
/// @param tail share of the worst quantiles by which actions are chosen (conditional value at risk;
///   Dabney et al. 2018, arXiv 1806.06923, 4): 0.1 to 1; 1 for the mean of all
/// @param softmax whether values are probabilities, as in Qlib, instead of arbitrary numbers
/// @param maxNorm the maximum norm of the gradients, usually 10 (Wang et al. 2016, arXiv
///   1511.06581, 4.2); 0 for no limit
/// @param minibatches number drawn from all experience per repeat of an update: about the number of
///   new steps, divided by four and the size of a minibatch (DQN: an update every four steps); 0
///   for a single step on all experience whatever the update's settings, as in Qlib
/// @param exploration how often another action is tried: from 1 to 0.01 or 0.1 over the first tenth
///   of the run (DQN, methods)
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
    return withOptimiser(AdamConfig.of(rate).withWeightDecay(optimiser.weightDecay()));
  }

  public DqnConfig withOptimiser(AdamConfig other) {
    return with(draft -> draft.optimiser = other);
  }

  public DqnConfig withDiscount(double other) {
    return with(draft -> draft.discount = other);
  }

  public DqnConfig withSteps(int count) {
    return with(draft -> draft.steps = count);
  }

  /// @param count number of minibatches; 0 for no target network
  public DqnConfig withTargetInterval(int count) {
    return with(draft -> draft.targetInterval = count);
  }

  public DqnConfig withDoubles(boolean isDouble) {
    return with(draft -> draft.doubles = isDouble);
  }

  public DqnConfig withLoss(Loss other) {
    return with(draft -> draft.loss = other);
  }

  /// @param share share of the worst quantiles by which actions are chosen
  public DqnConfig withQuantiles(int count, double share) {
    return with(
        draft -> {
          draft.quantiles = count;
          draft.tail = share;
        });
  }

  /// @param other 0 for no limit
  public DqnConfig withMaxNorm(double other) {
    return with(draft -> draft.maxNorm = other);
  }

  public DqnConfig withMinibatches(int count) {
    return with(draft -> draft.minibatches = count);
  }

  public DqnConfig withExploration(Exploration other) {
    return with(draft -> draft.exploration = other);
  }

  private DqnConfig with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toConfig();
  }

  /// A copy under change.
  private final class Draft {
    AdamConfig optimiser = DqnConfig.this.optimiser;
    double discount = DqnConfig.this.discount;
    int steps = DqnConfig.this.steps;
    int targetInterval = DqnConfig.this.targetInterval;
    boolean doubles = DqnConfig.this.doubles;
    Loss loss = DqnConfig.this.loss;
    int quantiles = DqnConfig.this.quantiles;
    double tail = DqnConfig.this.tail;
    double maxNorm = DqnConfig.this.maxNorm;
    int minibatches = DqnConfig.this.minibatches;
    Exploration exploration = DqnConfig.this.exploration;

    DqnConfig toConfig() {
      return new DqnConfig(
          optimiser,
          discount,
          steps,
          targetInterval,
          doubles,
          loss,
          quantiles,
          tail,
          softmax,
          maxNorm,
          minibatches,
          exploration);
    }
  }
}
