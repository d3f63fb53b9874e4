package io.tranche.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Allocation;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/// Random rows, bits, derivatives by trying, and what a loop allocates.
final class Numbers {

  // Central differences of float32 networks are good to about this, relative to the largest.
  private static final double BY_TRYING = 3e-3;

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

  /// Returns the largest difference between `gradient` and central differences of `loss`, over the
  /// largest gradient.
  static double worstDifference(float[] values, float[] gradient, ToDoubleFunction<float[]> loss) {
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

  /// Checks the gradients of the inputs `x` and of all weights: of the sum of what `forward` leaves
  /// in `y`, times `projection`.
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
    assertThat(worstDifference(x, dx, loss)).isLessThan(BY_TRYING);
    assertThat(worstDifference(weights.values(), gradients, loss)).isLessThan(BY_TRYING);
  }

  /// Returns what ten runs allocate once the compilers have settled, which takes a while.
  static long warmlyAllocated(Runnable action) {
    long bytes = Long.MAX_VALUE;
    for (int i = 0; i < 4_000 && bytes > 0; i++) {
      bytes = Allocation.bytesOf(() -> repeat(10, action));
    }
    return bytes;
  }

  private static void repeat(int times, Runnable action) {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }
}
