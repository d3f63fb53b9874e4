package io.tranche.tensor.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The vector kernels give the reference's bits at every remainder of every lane width.
class KernelTwinsTest {

  private static final int AT = 3;

  private final Kernels scalar = new ScalarKernels();
  private final Kernels vector = new VectorKernels();

  static IntStream sizes() {
    return IntStream.concat(IntStream.rangeClosed(0, 67), IntStream.of(127, 128, 129, 192, 200));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void multiply(int n) {
    for (int m : new int[] {1, 2, 3, 4, 5, 7, 8, 9}) {
      for (int k : new int[] {0, 1, 5, 64, 256, 257, 600}) {
        float[] a = values(n + m + k, AT + m * k);
        float[] b = values(n + m - k, AT + k * n);
        float[] bias = values(n, AT + n);

        same(
            AT + m * (n + 2),
            (kernels, c) -> {
              int row = n + 2;
              kernels.multiply(m, n, k, a, AT, k, 1, b, AT, n, bias, AT, 0, c, AT, row);
              kernels.multiply(m, n, k, a, AT, 1, m, b, AT, n, c, AT, row, c, AT, row);
            });
      }
    }
  }

  /// A matrix in fewer bits gives the bits of its float32 twin, with both kernels.
  @ParameterizedTest
  @MethodSource("sizes")
  void multiplyPacked(int n) {
    for (int m : new int[] {1, 2, 4, 5, 9}) {
      for (int k : new int[] {0, 1, 5, 64, 257}) {
        float[] a = values(n + m + k, AT + m * k);
        float[] bias = values(n, AT + n);
        float[] scales = values(n + k, AT + n);
        byte[] bytes = new byte[AT + k * n];
        short[] halves = new short[AT + k * n];
        float[] ofBytes = new float[AT + k * n];
        float[] ofHalves = new float[AT + k * n];
        var random = new SplittableRandom(n + k);
        for (int i = AT; i < bytes.length; i++) {
          bytes[i] = (byte) random.nextInt(-127, 128);
          ofBytes[i] = bytes[i] * scales[AT + (i - AT) % n];
          do {
            halves[i] = (short) random.nextInt(1 << 16); // subnormal numbers and zeros too
            ofHalves[i] = Float.float16ToFloat(halves[i]);
          } while (!Float.isFinite(ofHalves[i]));
        }
        int row = n + 2;
        for (Kernels twin : List.of(scalar, vector)) {
          twins(
              AT + m * row,
              c -> twin.multiply(m, n, k, a, AT, k, 1, ofBytes, AT, n, bias, AT, 0, c, AT, row),
              c ->
                  twin.multiplyBytes(
                      m, n, k, a, AT, k, bytes, AT, n, scales, AT, bias, AT, 0, c, AT, row));
          twins(
              AT + m * row,
              c -> twin.multiply(m, n, k, a, AT, k, 1, ofHalves, AT, n, c, AT, row, c, AT, row),
              c -> twin.multiplyHalves(m, n, k, a, AT, k, halves, AT, n, c, AT, row, c, AT, row));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void elementwiseKernels(int n) {
    float[] x = values(n, AT + n);
    same(AT + n, (kernels, y) -> kernels.axpy(n, 0.7f, x, AT, y, AT));
    same(AT + n, (kernels, y) -> kernels.scale(n, 0.7f, y, AT));
    same(AT + n, (kernels, y) -> kernels.relu(n, y, AT));
    same(AT + n, (kernels, y) -> kernels.exp(n, -0.3f, y, AT));
    same(AT + n, (kernels, y) -> kernels.sigmoid(n, y, AT));
    same(AT + n, (kernels, y) -> kernels.tanh(n, y, AT));
    same(AT + n, (kernels, y) -> kernels.softmax(n, y, AT));
    same(AT + n, (kernels, y) -> kernels.softmaxBackward(n, x, AT, y, AT));
    same(AT + n, (kernels, y) -> kernels.tanhBackward(n, y, AT, x, AT));
    float[] output = x.clone();
    scalar.relu(n, output, AT);
    same(AT + n, (kernels, y) -> kernels.reluBackward(n, output, AT, y, AT));
    float[] rows = values(n, AT + 5 * n);
    same(AT + n, (kernels, y) -> kernels.addRows(5, n, rows, AT, n, y, AT));
  }

  @Test
  void whatIsNotAnOrdinaryNumber() {
    float[] special = new float[48];
    float[] kinds = {Float.NaN, 1e38f, -1e38f, -0f, 0, Float.MIN_VALUE, 1 / 0f, -1 / 0f, 1};
    for (int i = 0; i < special.length; i++) {
      special[i] = kinds[i % kinds.length];
    }
    for (Change change :
        List.<Change>of(
            (kernels, x) -> kernels.relu(48, x, 0),
            (kernels, x) -> kernels.exp(48, 0, x, 0),
            (kernels, x) -> kernels.sigmoid(48, x, 0),
            (kernels, x) -> kernels.tanh(48, x, 0),
            (kernels, x) -> kernels.tanhBackward(48, x, 0, special, 0),
            (kernels, x) -> kernels.reluBackward(48, special, 0, x, 0))) {
      float[] expected = special.clone();
      float[] actual = special.clone();
      change.to(scalar, expected);
      change.to(vector, actual);
      assertThat(bits(actual)).isEqualTo(bits(expected));
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void recurrentCells(int n) {
    // One array holds the gates and three states, so that everything written is compared.
    int p = AT + 4 * n;
    int q = p + n;
    int r = q + n;
    float[] other = values(n, AT + n);
    same(r + n, (kernels, x) -> kernels.gruForward(n, x, AT, x, p, x, q));
    same(r + n, (kernels, x) -> kernels.gruBackward(n, x, AT, x, p, x, q, x, r));
    same(r + n, (kernels, x) -> kernels.lstmForward(n, x, AT, x, p, x, q, x, r));
    same(r + n, (kernels, x) -> kernels.lstmBackward(n, x, AT, other, AT, x, p, x, q, x, r));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void adam(int n) {
    float[] gradient = values(n, AT + n);
    for (int of = 0; of < 3; of++) {
      int watched = of;
      same(
          AT + n,
          (kernels, x) -> {
            float[] w = values(1, AT + n);
            float[] m = values(2, AT + n);
            float[] v = new float[AT + n];
            kernels.adam(n, AT, w, gradient, m, v, 0.1f, 0.9f, 0.999f, 1e-8f, 0.01f, 0.5f);
            System.arraycopy(new float[][] {w, m, v}[watched], 0, x, 0, AT + n);
          });
    }
  }

  @FunctionalInterface
  private interface Change {
    void to(Kernels kernels, float[] values);
  }

  /// Runs `change` with both twins on the same values and compares every bit.
  private void same(int length, Change change) {
    twins(length, x -> change.to(scalar, x), x -> change.to(vector, x));
  }

  private static void twins(int length, Consumer<float[]> one, Consumer<float[]> other) {
    float[] expected = values(length, length);
    float[] actual = expected.clone();
    one.accept(expected);
    other.accept(actual);
    assertThat(bits(actual)).isEqualTo(bits(expected));
  }

  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(values[i]));
    return bits;
  }

  /// Mostly of order 1, with zeros, tiny values and some beyond every clamp.
  private static float[] values(long seed, int length) {
    var random = new SplittableRandom(seed);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      float x = (float) random.nextDouble(-2, 2);
      values[i] =
          switch (random.nextInt(40)) {
            case 0 -> 0;
            case 1 -> x * 1e-27f;
            case 2 -> x * 60;
            default -> x;
          };
    }
    return values;
  }
}
