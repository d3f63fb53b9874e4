package io.tranche.examples.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.feature.provider.CausalityCheck;
import io.tranche.market.feature.provider.FeatureProvider;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AveragePriceGapTest {

  private static final float NAN = Float.NaN;

  @Test
  void isFoundOnTheClassPath() {
    assertThat(FeatureProvider.installed()).hasAtLeastOneElementOfType(AveragePriceGap.class);
  }

  @Test
  void comparesTheCloseWithTheAverageSoFar() {
    DayFrame day =
        Objects.requireNonNull(
            bars(new float[] {NAN, 10, NAN, 12}, new float[] {NAN, 3, NAN, 1}).day(0));
    float[] gaps = new float[4];

    new AveragePriceGap().compute(day, List.of(), gaps);

    assertThat(gaps[0]).isNaN();
    assertThat(gaps[1]).isZero();
    assertThat(gaps[2]).isZero();
    assertThat(gaps[3]).isCloseTo((float) (1e4 * (12 / 10.5 - 1)), within(0.01f));
  }

  @Test
  void doesNotLookAhead() {
    BarSeries bars = bars(new float[] {10, 11, NAN, 12, 9, 10}, new float[] {5, 0, NAN, 7, 2, 1});

    assertThat(CausalityCheck.find(new AveragePriceGap(), bars, 0)).isNull();
  }

  private static BarSeries bars(float[] close, float[] volume) {
    long[] times = new long[close.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = BarTime.of(LocalDate.of(2024, 1, 2).atTime(9, 30)) + 60L * i;
    }
    Calendar calendar = Calendar.of(Frequency.MINUTE, times);
    return BarSeries.wrap(
        "ANY", calendar, 0, List.of("close", "volume"), new float[][] {close, volume});
  }
}
