package io.tranche.market.expression.evaluation;

import io.tranche.market.expression.RollingOperator;

/// The straight line through the last rows, the newest at x = window. Qlib: `_libs/rolling.pyx` and
/// `_libs/expanding.pyx`.
final class RollingLine {

  private static final double NO_DEVIATION = 2e-5; // a flatter window has no R-square

  private double x;
  private double xx;
  private double y;
  private double yy;
  private double xy;
  private int count;

  private RollingLine() {}

  /// @param window how many rows; 0 for all since the first, the first at x = 1
  static double[] of(RollingOperator operator, double[] values, int window) {
    double[] result = new double[values.length];
    var line = new RollingLine();
    for (int i = 0; i < values.length; i++) {
      int newest = window == 0 ? i + 1 : window;
      if (window != 0) {
        line.shift();
        if (i >= window) {
          line.remove(values[i - window]);
        }
      }
      line.add(newest, values[i]);
      result[i] =
          switch (operator) {
            case SLOPE -> line.slope();
            case RESI -> line.residual(newest, values[i]);
            case RSQUARE -> line.rSquare();
            default ->
                throw new IllegalArgumentException("operator must be a line's, was " + operator);
          };
    }
    if (operator == RollingOperator.RSQUARE && window != 0) {
      dropFlat(result, RollingMoments.deviation(RollingFunctions.finite(values), window));
    }
    return result;
  }

  /// Replaces results by NaN where the deviation is almost zero.
  static void dropFlat(double[] result, double[] deviation) {
    for (int i = 0; i < result.length; i++) {
      if (deviation[i] <= NO_DEVIATION) {
        result[i] = Double.NaN;
      }
    }
  }

  /// Moves every point one to the left.
  private void shift() {
    xy -= y;
    xx = xx + count - 2 * x;
    x -= count;
  }

  /// Removes the point that has arrived at x = 0.
  private void remove(double value) {
    if (!Double.isNaN(value)) {
      count--;
      y -= value;
      yy -= value * value;
    }
  }

  private void add(double at, double value) {
    if (!Double.isNaN(value)) {
      count++;
      x += at;
      xx += at * at;
      y += value;
      yy += value * value;
      xy += at * value;
    }
  }

  private double slope() {
    return (count * xy - x * y) / (count * xx - x * x);
  }

  private double residual(double at, double value) {
    double slope = slope();
    double intercept = y / count - slope * (x / count);
    return value - (slope * at + intercept);
  }

  private double rSquare() {
    double r = (count * xy - x * y) / Math.sqrt((count * xx - x * x) * (count * yy - y * y));
    return r * r;
  }
}
