package io.tranche.policy.agent;

import io.tranche.env.RandomTree;

/// The logarithm of the gamma function, its derivatives, and draws from the gamma distribution, all
/// for arguments of at least 1. Hot path: allocates nothing.
final class Gamma {

  private static final double HALF_LOG_TWO_PI = 0.9189385332046728;

  /// Beyond this the asymptotic series below are exact to the last digits.
  private static final double LARGE = 12;

  private Gamma() {}

  /// Returns log Γ(x).
  static double log(double x) {
    double shift = 0;
    double at = x;
    double product = 1;
    while (at < LARGE) {
      product *= at;
      at++;
    }
    shift -= Math.log(product);
    return shift + (at - 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + stirling(at);
  }

  /// Returns log B(a, b). Where both logarithms of Γ are huge, their leading terms are cancelled
  /// before they are rounded.
  static double logBeta(double a, double b) {
    if (a < LARGE || b < LARGE) {
      return log(a) + log(b) - log(a + b);
    }
    double sum = a + b;
    return (a - 0.5) * Math.log(a / sum)
        + b * Math.log(b / sum)
        - 0.5 * Math.log(b)
        + HALF_LOG_TWO_PI
        + stirling(a)
        + stirling(b)
        - stirling(sum);
  }

  private static double stirling(double x) {
    double y = 1 / (x * x);
    return (1.0 / 12
            + y
                * (-1.0 / 360
                    + y * (1.0 / 1260 + y * (-1.0 / 1680 + y * (1.0 / 1188 - y * 691.0 / 360360)))))
        / x;
  }

  /// Returns ψ(x), the derivative of log Γ.
  static double digamma(double x) {
    double sum = 0;
    double at = x;
    while (at < LARGE) {
      sum -= 1 / at;
      at++;
    }
    double y = 1 / (at * at);
    return sum
        + Math.log(at)
        - 0.5 / at
        - y
            * (1.0 / 12
                - y
                    * (1.0 / 120
                        - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * 691.0 / 32760)))));
  }

  /// Returns ψ'(x).
  static double trigamma(double x) {
    double sum = 0;
    double at = x;
    while (at < LARGE) {
      sum += 1 / (at * at);
      at++;
    }
    double y = 1 / (at * at);
    return sum
        + 1 / at
        + y / 2
        + y
            / at
            * (1.0 / 6
                - y
                    * (1.0 / 30
                        - y * (1.0 / 42 - y * (1.0 / 30 - y * (5.0 / 66 - y * 691.0 / 2730)))));
  }

  /// Returns a standard normal draw of `key` (Box and Muller, 1958).
  static double normal(long key) {
    double radius = Math.sqrt(-2 * Math.log1p(-RandomTree.uniform(RandomTree.child(key, 0))));
    return radius * Math.cos(2 * Math.PI * RandomTree.uniform(RandomTree.child(key, 1)));
  }

  /// Returns the logarithm of a draw from the gamma distribution with a shape of at least 1
  /// (Marsaglia and Tsang, 2000).
  static double logDraw(double shape, long key) {
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    for (int tries = 0; ; tries++) {
      long each = RandomTree.child(key, tries);
      double x = normal(each);
      double root = 1 + c * x;
      if (root > 0) {
        double cube = root * root * root;
        double uniform = 1 - RandomTree.uniform(RandomTree.child(each, 2));
        if (Math.log(uniform) < 0.5 * x * x + d - d * cube + d * Math.log(cube)) {
          return Math.log(d * cube);
        }
      }
    }
  }
}
