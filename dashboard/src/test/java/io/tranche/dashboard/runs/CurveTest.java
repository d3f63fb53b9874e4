package io.tranche.dashboard.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CurveTest {

  private static Curve curve(double... values) {
    long[] iterations = new long[values.length];
    Arrays.setAll(iterations, i -> i + 1);
    return new Curve(iterations, values);
  }

  @Test
  void smoothsWithoutPullingTheBeginningToZero() {
    double[] smooth = curve(4, 4, Double.NaN, 4).smoothed(0.9).values();

    assertThat(smooth[0]).isEqualTo(4, within(1e-12));
    assertThat(smooth[2]).isNaN();
    assertThat(smooth[3]).isEqualTo(4, within(1e-12));
    assertThat(curve(0, 1).smoothed(0.5).values()[1]).isEqualTo(0.5 / 0.75, within(1e-12));
    assertThat(curve(1, 5).smoothed(0).values()).containsExactly(1, 5);
  }

  @Test
  void cutsAStretchByIterations() {
    Curve part = curve(1, 2, 3, 4, 5).within(2, 4);

    assertThat(part.values()).containsExactly(2, 3, 4);
    assertThat(curve(1, 2).within(7, 9).size()).isZero();
    assertThat(curve(1, 2).within(0, Long.MAX_VALUE).size()).isEqualTo(2);
  }

  @Test
  void leavesShortCurvesAsTheyAre() {
    assertThat(curve(1, 2, 3).thinned(16).values()).containsExactly(1, 2, 3);
  }
}
