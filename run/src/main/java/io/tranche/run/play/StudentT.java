package io.tranche.run.play;

import java.util.function.DoubleUnaryOperator;

/// Student's t-distribution: the error of a mean whose standard deviation is itself estimated.
public final class StudentT {

  /// Enough for six digits up to a thousand degrees of freedom.
  private static final int PIECES = 400;

  private static final double PRECISION = 1e-9;

  private StudentT() {}

  /// Returns the `t` for which 95 % of the distribution lie between `-t` and `t`.
  public static double within95(double freedom) {
    return within(0.95, freedom);
  }

  /// Returns the `t` for which a share of the distribution lies between `-t` and `t`.
  ///
  /// With `t = sqrt(n) tan(a)` the density of `a` is proportional to `cos(a)^(n-1)`, which is
  /// smooth and easy to integrate.
  ///
  /// @param freedom degrees of freedom, at least 1, not always a whole number
  public static double within(double share, double freedom) {
    double wanted = share * wholeArea(freedom);
    double angle = 0;
    double step;
    // The density falls, so Newton's steps from 0 approach the answer without overshooting.
    do {
      step = (wanted - area(angle, freedom)) / density(angle, freedom);
      angle += step;
    } while (step > PRECISION);
    return Math.sqrt(freedom) * Math.tan(angle);
  }

  /// Returns the part of the distribution that lies outside `-t` and `t`.
  public static double outside(double t, double freedom) {
    double inside = area(Math.atan(Math.abs(t) / Math.sqrt(freedom)), freedom);
    return Math.clamp(1 - inside / wholeArea(freedom), 0, 1);
  }

  private static double density(double angle, double freedom) {
    // Rounding may take the right angle's cosine below 0.
    return Math.pow(Math.max(0, Math.cos(angle)), freedom - 1);
  }

  /// Returns the area from 0 to `angle`.
  private static double area(double angle, double freedom) {
    return simpson(angle, each -> density(each, freedom));
  }

  /// The density ends steeply at the right angle where `freedom` is little more than 1. Counted
  /// from there by its cubic root, it begins flat. Where `freedom` is large that would leave too
  /// few pieces for its narrow peak.
  private static double wholeArea(double freedom) {
    if (freedom >= 5) {
      return area(Math.PI / 2, freedom);
    }
    return simpson(
        Math.cbrt(Math.PI / 2),
        root -> 3 * root * root * Math.pow(Math.sin(root * root * root), freedom - 1));
  }

  /// Simpson's rule from 0 to `end`.
  private static double simpson(double end, DoubleUnaryOperator value) {
    double width = end / PIECES;
    double sum = 0;
    for (int i = 0; i <= PIECES; i++) {
      int weight = i == 0 || i == PIECES ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * value.applyAsDouble(i * width);
    }
    return sum * width / 3;
  }
}
