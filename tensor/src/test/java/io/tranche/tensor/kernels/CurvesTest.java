package io.tranche.tensor.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The functions keep the accuracy of their contract everywhere and preserve NaN.
class CurvesTest {

  // Odd, so that the sweep hits all kinds of mantissas.
  private static final int STRIDE = 2003;

  @Test
  void expIsCorrectToItsTolerance() {
    double worst = 0;
    for (float x = Curves.EXP_MIN; x < Curves.EXP_MAX; x += 1.7e-4f) {
      worst = Math.max(worst, Math.abs(Curves.exp(x) / Math.exp(x) - 1));
    }
    assertThat(worst).isLessThan(2e-7);
    assertThat(Curves.exp(0)).isEqualTo(1);
    assertThat(Curves.exp(-1e9f)).isPositive().isLessThan(2e-38f);
    assertThat(Curves.exp(1e9f)).isGreaterThan(1e38f).isFinite();
  }

  @Test
  void sigmoidIsCorrectToItsTolerance() {
    double worst = 0;
    for (float x = Curves.EXP_MIN; x < Curves.EXP_MAX; x += 1.7e-4f) {
      worst = Math.max(worst, Math.abs(Curves.sigmoid(x) * (1 + Math.exp(-x)) - 1));
    }
    assertThat(worst).isLessThan(2e-7);
    assertThat(Curves.sigmoid(0)).isEqualTo(0.5f);
    assertThat(Curves.sigmoid(Float.POSITIVE_INFINITY)).isEqualTo(1);
  }

  @Test
  void tanhIsCorrectToItsToleranceAndNeverBeyondOne() {
    double worst = 0;
    float largest = 0;
    for (int bits = 0; bits < Float.floatToIntBits(20); bits += STRIDE) {
      float x = Float.intBitsToFloat(bits);
      float y = Curves.tanh(x);
      double error = Math.abs(y - Math.tanh(x));
      worst = Math.max(worst, x < 1e-30f ? error : error / Math.tanh(x));
      largest = Math.max(largest, y);
      assertThat(Curves.tanh(-x)).isEqualTo(-y);
    }
    assertThat(worst).isLessThan(3e-7);
    assertThat(largest).isEqualTo(1);
    assertThat(Curves.tanh(Float.NEGATIVE_INFINITY)).isEqualTo(-1);
  }

  @Test
  void nanStaysNan() {
    for (int bits : new int[] {0x7fc00000, 0x7fc00001, 0x7f800001, 0xffffffff}) {
      float nan = Float.intBitsToFloat(bits);
      assertThat(Curves.exp(nan)).isNaN();
      assertThat(Curves.sigmoid(nan)).isNaN();
      assertThat(Curves.tanh(nan)).isNaN();
    }
  }
}
