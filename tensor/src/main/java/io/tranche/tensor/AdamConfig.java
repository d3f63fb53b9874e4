package io.tranche.tensor;

/// Adam's hyper-parameters. *Adam* is Kingma and Ba 2015 (arXiv 1412.6980); the defaults are theirs
/// and torch's.
///
/// @param learningRate the step size, positive, usually 1e-5 to 1e-3 (Adam, algorithm 1: 1e-3)
/// @param beta1 decay rate of the mean gradient, in [0, 1), usually 0.9 (Adam, algorithm 1)
/// @param beta2 decay rate of the mean squared gradient, in [0, 1), usually 0.99 to 0.999 (Adam,
///   algorithm 1: 0.999)
/// @param epsilon keeps the divisor away from 0, positive, usually 1e-8 to 1e-5 (Adam, algorithm 1:
///   1e-8)
/// @param weightDecay L2 penalty: this multiple of a weight is added to its gradient; not negative,
///   usually 0 to 1e-4 (torch: 0)
public record AdamConfig(
    double learningRate, double beta1, double beta2, double epsilon, double weightDecay) {

  public AdamConfig {
    require(learningRate > 0, "learningRate must be positive", learningRate);
    require(beta1 >= 0 && beta1 < 1, "beta1 must be in [0, 1)", beta1);
    require(beta2 >= 0 && beta2 < 1, "beta2 must be in [0, 1)", beta2);
    require(epsilon > 0, "epsilon must be positive", epsilon);
    require(weightDecay >= 0, "weightDecay must not be negative", weightDecay);
  }

  /// Returns torch's defaults with the given learning rate.
  public static AdamConfig of(double learningRate) {
    return new AdamConfig(learningRate, 0.9, 0.999, 1e-8, 0);
  }

  public AdamConfig withWeightDecay(double decay) {
    return new AdamConfig(learningRate, beta1, beta2, epsilon, decay);
  }

  private static void require(boolean holds, String rule, double value) {
    if (!holds || Double.isInfinite(value)) {
      throw new IllegalArgumentException(rule + " and finite, was " + value);
    }
  }
}
