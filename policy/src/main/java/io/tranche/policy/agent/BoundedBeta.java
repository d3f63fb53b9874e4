package io.tranche.policy.agent;

import static io.tranche.policy.agent.Logistic.sigmoid;
import static io.tranche.policy.agent.Logistic.softplus;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;

/// Beta distributions between the bounds, one per number of an action (Chou et al., 2017).
///
/// Outputs are, for each number, what becomes its two shapes: 1 plus their softplus, so there is
/// one mode and the density is finite at the bounds.
public record BoundedBeta(Bounds bounds) implements ActionDistribution {

  /// How far the sum of both shapes is above 2 at the start: wide enough to find more than the
  /// start.
  private static final double START_SHAPES = 6;

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

  @Override
  public void encode(Action action, float[] target, int at) {
    bounds.encode(action, target, at);
  }

  @Override
  public float logProbability(float[] parameters, int at, float[] codes, int codeAt) {
    double sum = 0;
    for (int i = 0; i < bounds.count(); i++) {
      double logit = codes[codeAt + i];
      double a = softplus(parameters[at + 2 * i]);
      double b = softplus(parameters[at + 2 * i + 1]);
      sum -=
          a * softplus(-logit)
              + b * softplus(logit)
              + Gamma.logBeta(1 + a, 1 + b)
              + Math.log(bounds.range());
    }
    return (float) sum;
  }

  @Override
  public void logSlopes(float[] parameters, int at, float[] codes, int codeAt, float[] slopes) {
    for (int i = 0; i < bounds.count(); i++) {
      double logit = codes[codeAt + i];
      double a = 1 + softplus(parameters[at + 2 * i]);
      double b = 1 + softplus(parameters[at + 2 * i + 1]);
      double both = Gamma.digamma(a + b);
      slopes[2 * i] =
          (float) ((both - Gamma.digamma(a) - softplus(-logit)) * sigmoid(parameters[at + 2 * i]));
      slopes[2 * i + 1] =
          (float)
              ((both - Gamma.digamma(b) - softplus(logit)) * sigmoid(parameters[at + 2 * i + 1]));
    }
  }

  @Override
  public float entropy(float[] parameters, int at) {
    double sum = 0;
    for (int i = 0; i < bounds.count(); i++) {
      double a = softplus(parameters[at + 2 * i]);
      double b = softplus(parameters[at + 2 * i + 1]);
      double both = Gamma.digamma(2 + a + b);
      sum +=
          Gamma.logBeta(1 + a, 1 + b)
              + a * (both - Gamma.digamma(1 + a))
              + b * (both - Gamma.digamma(1 + b))
              + Math.log(bounds.range());
    }
    return (float) sum;
  }

  @Override
  public void entropySlopes(float[] parameters, int at, float[] slopes) {
    for (int i = 0; i < bounds.count(); i++) {
      double a = softplus(parameters[at + 2 * i]);
      double b = softplus(parameters[at + 2 * i + 1]);
      double both = (a + b) * Gamma.trigamma(2 + a + b);
      slopes[2 * i] =
          (float) ((both - a * Gamma.trigamma(1 + a)) * sigmoid(parameters[at + 2 * i]));
      slopes[2 * i + 1] =
          (float) ((both - b * Gamma.trigamma(1 + b)) * sigmoid(parameters[at + 2 * i + 1]));
    }
  }

  @Override
  public Action draw(float[] parameters, int at, long key) {
    double[] values = new double[bounds.count()];
    for (int i = 0; i < values.length; i++) {
      float first = parameters[at + 2 * i];
      float second = parameters[at + 2 * i + 1];
      double logit = Double.NaN;
      if (Float.isFinite(first) && Float.isFinite(second)) {
        long each = RandomTree.child(key, i);
        logit =
            Gamma.logDraw(1 + softplus(first), RandomTree.child(each, 0))
                - Gamma.logDraw(1 + softplus(second), RandomTree.child(each, 1));
      }
      values[i] = bounds.value(bounds.drawn(logit));
    }
    return bounds.action(values);
  }

  /// Takes the mode of each number.
  @Override
  public Action best(float[] parameters, int at) {
    double[] values = new double[bounds.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = bounds.decided(mode(parameters, at + 2 * i));
    }
    return bounds.action(values);
  }

  @Override
  public void score(float[] parameters, int at, float[] scores, int to) {
    for (int i = 0; i < bounds.count(); i++) {
      scores[to + i] = bounds.decided(mode(parameters, at + 2 * i));
    }
  }

  private static double mode(float[] parameters, int at) {
    double a = softplus(parameters[at]);
    double b = softplus(parameters[at + 1]);
    if (a + b == 0) {
      return sigmoid((double) parameters[at] - parameters[at + 1]); // both are tiny
    }
    return a == Double.POSITIVE_INFINITY && b < a ? 1 : a / (a + b);
  }

  @Override
  public float[] centredAt(double... values) {
    float[] outputs = new float[outputs()];
    for (int i = 0; i < values.length; i++) {
      double part = (values[i] - bounds.low()) / bounds.range();
      outputs[2 * i] = (float) Logistic.softplusInverse(START_SHAPES * part);
      outputs[2 * i + 1] = (float) Logistic.softplusInverse(START_SHAPES * (1 - part));
    }
    return outputs;
  }
}
