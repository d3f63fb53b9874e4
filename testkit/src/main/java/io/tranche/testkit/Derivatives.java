package io.tranche.testkit;

import java.util.function.ToDoubleFunction;

/// Numerical derivatives.
public final class Derivatives {

  /// The accuracy of central differences of float32 networks, relative to the largest.
  public static final double TOLERANCE = 3e-3;

  private Derivatives() {}

  /// Returns the largest difference between `gradient` and central differences of `loss`, over the
  /// largest gradient.
  public static double worstDifference(
      float[] values, float[] gradient, ToDoubleFunction<float[]> loss) {
    float step = 1e-2f;
    double worst = 0;
    double scale = 1e-3;
    for (int i = 0; i < values.length; i++) {
      float kept = values[i];
      values[i] = kept + step;
      double up = loss.applyAsDouble(values);
      values[i] = kept - step;
      double down = loss.applyAsDouble(values);
      values[i] = kept;
      worst = Math.max(worst, Math.abs((up - down) / (2 * step) - gradient[i]));
      scale = Math.max(scale, Math.abs(gradient[i]));
    }
    return worst / scale;
  }
}
