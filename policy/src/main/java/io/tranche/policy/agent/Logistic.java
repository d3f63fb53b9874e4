package io.tranche.policy.agent;

/// Logistic functions that keep their digits for large arguments, and uniform and normal draws by
/// key. Hot path: allocates nothing.
final class Logistic {

  private Logistic() {}

  /// Returns `1 / (1 + exp(-x))`.
  static double sigmoid(double x) {
    double tail = Math.exp(-Math.abs(x));
    return x < 0 ? tail / (1 + tail) : 1 / (1 + tail);
  }

  /// Returns `log(1 + exp(x))`.
  static double softplus(double x) {
    return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
  }

  /// Returns the argument at which [#softplus] is `y`, which must be positive.
  static double softplusInverse(double y) {
    return y + Math.log(-Math.expm1(-y));
  }
}
