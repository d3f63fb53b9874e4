package io.tranche.experiment.evaluation;

/// Student's distribution: how far a mean may lie off, when the deviation is itself estimated.
final class StudentT {

  /// Enough for six digits up to a thousand degrees of freedom.
  private static final int PIECES = 400;

  private static final int HALVINGS = 40;

  private StudentT() {}

  /// Returns the number that lies between its negative and itself with a probability of 95 %.
  ///
  /// With `t = sqrt(n) tan(a)` the density of `a` is proportional to `cos(a)^(n-1)`, which any rule
  /// integrates well.
  ///
  /// @param freedom degrees of freedom, at least 1
  static double within95(int freedom) {
    double whole = area(Math.PI / 2, freedom);
    double low = 0;
    double high = Math.PI / 2;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (area(middle, freedom) < 0.95 * whole) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.sqrt(freedom) * Math.tan(low);
  }

  /// Simpson's rule from 0 to `angle`.
  private static double area(double angle, int freedom) {
    double width = angle / PIECES;
    double sum = 0;
    for (int i = 0; i <= PIECES; i++) {
      int weight = i == 0 || i == PIECES ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * Math.pow(Math.cos(i * width), freedom - 1);
    }
    return sum * width / 3;
  }
}
