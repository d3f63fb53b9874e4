package io.tranche.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Derivatives;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/// Random rows, bits, and numerical derivatives.
final class Numbers {

  private Numbers() {}

  static float[] random(long seed, int length) {
    var random = new SplittableRandom(seed);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  static Rows randomRows(long seed, int count, int width) {
    return Rows.of(random(seed, count * width), width);
  }

  /// Returns the bits of the first `length` numbers from `at` on.
  static int[] bits(float[] values, int at, int length) {
    int[] bits = new int[length];
    Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[at + i]));
    return bits;
  }

  static int[] bits(float[] values) {
    return bits(values, 0, values.length);
  }

  /// Returns the sum of `values[i] * projection[i]` over the first `count`.
  static double project(float[] values, float[] projection, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (double) values[i] * projection[i];
    }
    return sum;
  }

  /// Checks the gradients, with respect to the inputs `x` and all weights, of the sum of `y`
  /// (written by `forward`) times `projection`.
  static void assertDerivatives(
      Weights weights,
      Runnable forward,
      float[] y,
      float[] projection,
      float[] x,
      float[] dx,
      float[] gradients) {
    ToDoubleFunction<float[]> loss =
        changed -> {
          weights.changed();
          forward.run();
          return project(y, projection, projection.length);
        };
    assertThat(Derivatives.worstDifference(x, dx, loss)).isLessThan(Derivatives.TOLERANCE);
    assertThat(Derivatives.worstDifference(weights.values(), gradients, loss))
        .isLessThan(Derivatives.TOLERANCE);
  }
}
