package io.tranche.market.expression.evaluation;

import static io.tranche.market.expression.evaluation.RollingFunctions.finite;

import io.tranche.market.expression.PairOperator;

/// Statistics over the last rows of two columns; a row counts where both have a value.
final class RollingPairs {

  private RollingPairs() {}

  static double[] of(PairOperator operator, double[] left, double[] right, int window) {
    int length = left.length;
    double[] x = new double[length];
    double[] y = new double[length];
    double[] product = new double[length];
    double[] both = new double[length];
    for (int i = 0; i < length; i++) {
      boolean counts = Double.isFinite(left[i]) && Double.isFinite(right[i]);
      x[i] = counts ? left[i] : Double.NaN;
      y[i] = counts ? right[i] : Double.NaN;
      product[i] = x[i] * y[i];
      both[i] = counts ? 1 : Double.NaN;
    }
    double[] meanProduct = RollingMoments.mean(product, window);
    double[] meanX = RollingMoments.mean(x, window);
    double[] meanY = RollingMoments.mean(y, window);
    double[] count = RollingMoments.sum(both, window);
    double[] result = new double[length];
    for (int i = 0; i < length; i++) {
      result[i] = (meanProduct[i] - meanX[i] * meanY[i]) * (count[i] / (count[i] - 1));
    }
    if (operator == PairOperator.CORR) {
      double[] varianceX = RollingMoments.variance(x, window);
      double[] varianceY = RollingMoments.variance(y, window);
      for (int i = 0; i < length; i++) {
        result[i] /= Math.sqrt(varianceX[i] * varianceY[i]);
      }
      RollingLine.dropFlat(result, RollingMoments.deviation(finite(left), window));
      RollingLine.dropFlat(result, RollingMoments.deviation(finite(right), window));
    }
    return result;
  }
}
