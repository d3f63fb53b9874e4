package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.Problem;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.ContinuousActions;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.List;

/// Lets an actor begin near TWAP, so that what it explores spans the whole order.
///
/// A uniform start over the shares 0, 1/4, ... 1 has finished an order after 2.4 of 8 decisions:
/// the agent never sees the afternoon, and "trade at once" is what it learns. Here each action
/// begins with the probability that has the wanted mean and, among all that have it, the greatest
/// entropy: proportional to `exp(t * value)`, the same in every state.
///
/// @param values what each action stands for: shares of the order, or multiples of the TWAP rate
/// @param mean what an action is to stand for on average: for shares, one over the number of
///   decisions; for multiples, 1
/// @param weightScale what the drawn weights of the actor's last layer are multiplied by, so that
///   states differ little at first
public record TwapStart(List<Double> values, double mean, double weightScale) {

  /// Beyond this the probabilities of a softmax are 0 and 1.
  private static final double STEEPEST = 60;

  private static final int HALVINGS = 80;

  private static final double WEIGHT_SCALE = 0.01;

  public TwapStart {
    values = List.copyOf(values);
    double low = values.stream().mapToDouble(v -> v).min().orElse(Double.NaN);
    double high = values.stream().mapToDouble(v -> v).max().orElse(Double.NaN);
    if (!(low < mean && mean < high)) {
      throw new IllegalArgumentException(
          "mean must be between the least and the greatest of %s, was %s".formatted(values, mean));
    }
    if (!(weightScale >= 0 && weightScale <= 1)) {
      throw new IllegalArgumentException("weightScale must be in [0, 1], was " + weightScale);
    }
  }

  /// Starts with `shares` of the whole order, `steps` decisions long, nearly alike in all states.
  public static TwapStart ofShares(List<Double> shares, int steps) {
    return new TwapStart(shares, 1.0 / steps, WEIGHT_SCALE);
  }

  /// Starts with `multiples` of the TWAP rate, nearly alike in all states.
  public static TwapStart ofMultiples(List<Double> multiples) {
    return new TwapStart(multiples, 1, WEIGHT_SCALE);
  }

  /// Sets the last layer of the actor of weights that were drawn.
  ///
  /// @param layer its name, without `.weight` and `.bias`
  public void apply(Weights weights, String layer) {
    Parameter bias = required(weights, layer + ".bias");
    if (bias.size() != values.size()) {
      throw new IllegalArgumentException(
          "%s must have a number for each of %d actions, was %s"
              .formatted(layer, values.size(), bias));
    }
    float[] logits = new float[values.size()];
    double[] exact = logits();
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) exact[i];
    }
    apply(logits, weightScale, weights, layer);
  }

  /// Lets an agent whose weights were drawn begin so, where its problem has steps and actions that
  /// say what TWAP is.
  static void apply(ActorCritic<?> agent, Problem<?, ExecutionState, ChildOrder, ?> problem) {
    Integer steps =
        switch (problem.stateInterpreter()) {
          case FullHistoryInterpreter states -> states.maxSteps();
          case CurrentStepInterpreter states -> states.maxSteps();
          default -> null;
        };
    if (steps == null) {
      return;
    }
    Weights weights = agent.model().weights();
    switch (problem.actionInterpreter()) {
      case CategoricalInterpreter shares ->
          ofShares(shares.shares(), steps).apply(weights, ActorCritic.ACTOR);
      case ContinuousActions numbers when numbers.numbers() > 0 ->
          apply(agent.actions().centredAt(numbers.twap(steps)), weights, ActorCritic.ACTOR);
      default -> {}
    }
  }

  /// Sets the last layer of the actor of weights that were drawn to these outputs, nearly alike in
  /// all states.
  static void apply(float[] outputs, Weights weights, String layer) {
    apply(outputs, WEIGHT_SCALE, weights, layer);
  }

  private static void apply(float[] outputs, double scale, Weights weights, String layer) {
    weights.load(required(weights, layer + ".bias"), outputs);
    Parameter matrix = required(weights, layer + ".weight");
    float[] scaled = Weights.rowMajor(matrix, weights.values());
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= (float) scale;
    }
    weights.load(matrix, scaled);
  }

  private static Parameter required(Weights weights, String name) {
    Parameter found = weights.parameter(name);
    if (found == null) {
      throw new IllegalArgumentException("weights must have " + name);
    }
    return found;
  }

  /// Returns the logarithm of each action's probability, up to a constant.
  double[] logits() {
    double spread =
        values.stream().mapToDouble(v -> v).max().orElse(0)
            - values.stream().mapToDouble(v -> v).min().orElse(0);
    double low = -STEEPEST / spread;
    double high = STEEPEST / spread;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (meanAt(middle) < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double slope = low;
    return values.stream().mapToDouble(value -> slope * value).toArray();
  }

  private double meanAt(double slope) {
    double sum = 0;
    double weighted = 0;
    for (double value : values) {
      double weight = Math.exp(slope * (value - mean)); // less the mean, so that none overflows
      sum += weight;
      weighted += weight * value;
    }
    return weighted / sum;
  }
}
