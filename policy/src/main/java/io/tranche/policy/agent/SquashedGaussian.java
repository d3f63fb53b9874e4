package io.tranche.policy.agent;

import static io.tranche.policy.agent.Logistic.sigmoid;
import static io.tranche.policy.agent.Logistic.softplus;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;

/// Gaussians, one per number of an action, squashed to the bounds by `(1 + tanh u) / 2`.
///
/// Outputs are, for each number, the mean of `u` and what becomes the logarithm of its standard
/// deviation, which stays between -5 and 2. Logarithms of `1 - tanh²` are computed as softplus,
/// which keeps all digits where the naive formula has none. The entropy has no closed form: its
/// only integral is computed by Gauss and Hermite's rule, so it has no noise.
public record SquashedGaussian(Bounds bounds) implements ActionDistribution {

  private static final double LOG_DEVIATION_CENTRE = -1.5;
  private static final double LOG_DEVIATION_SPREAD = 3.5;
  private static final double HALF_LOG_TWO_PI = 0.9189385332046728;

  /// Wide enough at the start to find more than the start: with a deviation of exp(-1) agents learn
  /// several times as slowly.
  private static final double START_LOG_DEVIATION = 0;

  private static final HermiteRule RULE = HermiteRule.of(32);

  @Override
  public int outputs() {
    return 2 * bounds.count();
  }

  @Override
  public int codeWidth() {
    return bounds.count();
  }

  @Override
  public int scores() {
    return bounds.count();
  }

  /// Returns the logarithm of the standard deviation for an output.
  public static double logDeviation(double output) {
    return LOG_DEVIATION_CENTRE + LOG_DEVIATION_SPREAD * Math.tanh(output);
  }

  private static double logDeviationSlope(double output) {
    return 4 * LOG_DEVIATION_SPREAD * sigmoid(2 * output) * sigmoid(-2 * output);
  }

  @Override
  public void encode(Action action, float[] target, int at) {
    bounds.encode(action, target, at);
  }

  @Override
  public float logProbability(float[] parameters, int at, float[] codes, int codeAt) {
    double sum = 0;
    for (int i = 0; i < bounds.count(); i++) {
      double u = 0.5 * codes[codeAt + i];
      double logDeviation = logDeviation(parameters[at + 2 * i + 1]);
      double distance = (u - parameters[at + 2 * i]) * Math.exp(-logDeviation);
      sum -= 0.5 * distance * distance + logDeviation + HALF_LOG_TWO_PI + logStretch(u);
    }
    return (float) sum;
  }

  /// Returns the logarithm of the derivative of the action by `u`.
  private double logStretch(double u) {
    return Math.log(2 * bounds.range()) - softplus(2 * u) - softplus(-2 * u);
  }

  @Override
  public void logSlopes(float[] parameters, int at, float[] codes, int codeAt, float[] slopes) {
    for (int i = 0; i < bounds.count(); i++) {
      float output = parameters[at + 2 * i + 1];
      double inverse = Math.exp(-logDeviation(output));
      double distance = (0.5 * codes[codeAt + i] - parameters[at + 2 * i]) * inverse;
      slopes[2 * i] = (float) (distance * inverse);
      slopes[2 * i + 1] = (float) ((distance * distance - 1) * logDeviationSlope(output));
    }
  }

  @Override
  public float entropy(float[] parameters, int at) {
    double sum = 0;
    for (int i = 0; i < bounds.count(); i++) {
      double logDeviation = logDeviation(parameters[at + 2 * i + 1]);
      double deviation = Math.exp(logDeviation);
      double stretch = 0;
      for (int node = 0; node < RULE.size(); node++) {
        stretch +=
            RULE.weight(node) * logStretch(parameters[at + 2 * i] + deviation * RULE.node(node));
      }
      sum += 0.5 + HALF_LOG_TWO_PI + logDeviation + stretch;
    }
    return (float) sum;
  }

  @Override
  public void entropySlopes(float[] parameters, int at, float[] slopes) {
    for (int i = 0; i < bounds.count(); i++) {
      float output = parameters[at + 2 * i + 1];
      double deviation = Math.exp(logDeviation(output));
      double byMean = 0;
      double byLogDeviation = 1;
      for (int node = 0; node < RULE.size(); node++) {
        double noise = deviation * RULE.node(node);
        double slope = -2 * Math.tanh(parameters[at + 2 * i] + noise) * RULE.weight(node);
        byMean += slope;
        byLogDeviation += slope * noise;
      }
      slopes[2 * i] = (float) byMean;
      slopes[2 * i + 1] = (float) (byLogDeviation * logDeviationSlope(output));
    }
  }

  @Override
  public Action draw(float[] parameters, int at, long key) {
    double[] values = new double[bounds.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = bounds.value(bounds.drawn(2 * drawn(parameters, at + 2 * i, key, i)));
    }
    return bounds.action(values);
  }

  private static double drawn(float[] parameters, int at, long key, int index) {
    double deviation = Math.exp(logDeviation(parameters[at + 1]));
    return parameters[at] + deviation * Gamma.normal(RandomTree.child(key, index));
  }

  /// Draws an action as [#draw] does, but returns its parts by reparameterisation (Haarnoja et al.,
  /// 2018), for gradients that go through the action.
  ///
  /// @param codes receives the code of the action
  /// @return the log-probability of the action
  public float reparameterised(float[] parameters, int at, long key, float[] codes, int codeAt) {
    for (int i = 0; i < bounds.count(); i++) {
      codes[codeAt + i] = (float) bounds.drawn(2 * drawn(parameters, at + 2 * i, key, i));
    }
    return logProbability(parameters, at, codes, codeAt);
  }

  /// Writes the derivatives by each parameter of `logWeight * log p(a) + sum(actionSlopes *
  /// place(a))` for an action that [#reparameterised] drew, which moves with the parameters. The
  /// place of an action is between -1 at the lower bound and 1.
  public void reparameterisedSlopes(
      float[] parameters,
      int at,
      float[] codes,
      int codeAt,
      double logWeight,
      float[] actionSlopes,
      int slopesAt,
      float[] slopes) {
    for (int i = 0; i < bounds.count(); i++) {
      float output = parameters[at + 2 * i + 1];
      double u = 0.5 * codes[codeAt + i];
      double noise = u - parameters[at + 2 * i];
      // The Gaussian's density at mean + deviation * noise depends on the deviation alone; the
      // stretch of the squashing moves with u.
      double byU = logWeight * 2 * Math.tanh(u) + actionSlopes[slopesAt + i] * placeSlope(u);
      slopes[2 * i] = (float) byU;
      slopes[2 * i + 1] = (float) ((byU * noise - logWeight) * logDeviationSlope(output));
    }
  }

  /// Returns the place of an action with this code between -1 at the lower bound and 1.
  public static float place(float code) {
    return (float) Math.tanh(0.5 * code);
  }

  private static double placeSlope(double u) {
    return 4 * sigmoid(2 * u) * sigmoid(-2 * u);
  }

  /// Takes the middle: the median of each number.
  @Override
  public Action best(float[] parameters, int at) {
    double[] values = new double[bounds.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = bounds.decided(sigmoid(2.0 * parameters[at + 2 * i]));
    }
    return bounds.action(values);
  }

  @Override
  public void score(float[] parameters, int at, float[] scores, int to) {
    for (int i = 0; i < bounds.count(); i++) {
      scores[to + i] = bounds.decided(sigmoid(2.0 * parameters[at + 2 * i]));
    }
  }

  @Override
  public float[] centredAt(double... values) {
    float[] outputs = new float[outputs()];
    for (int i = 0; i < values.length; i++) {
      outputs[2 * i] = 0.5f * bounds.logit(values[i]);
      outputs[2 * i + 1] =
          (float) atanh((START_LOG_DEVIATION - LOG_DEVIATION_CENTRE) / LOG_DEVIATION_SPREAD);
    }
    return outputs;
  }

  private static double atanh(double x) {
    return 0.5 * (Math.log1p(x) - Math.log1p(-x));
  }
}
