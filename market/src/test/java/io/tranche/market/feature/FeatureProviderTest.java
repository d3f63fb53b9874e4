package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FeatureProviderTest {

  private static final float NAN = Float.NaN;

  @Test
  void findsTheBuiltInProvidersByName() {
    assertThat(FeatureProvider.installed())
        .extracting(FeatureProvider::name)
        .contains("spread", "depth_imbalance", "realised_volatility", "volume_profile");
  }

  @Test
  void spreadKeepsTheLastQuoteAndHasNoneBeforeTheFirst() {
    float[] bid = {NAN, 99, 99, 0, 102};
    float[] ask = {101, 101, NAN, 101, 98};

    float[] spread = lastDay(new Spread(), Bars.of(5, List.of("bid", "ask"), bid, ask));

    assertThat(spread).containsExactly(NAN, 200, 200, 200, -400);
  }

  @Test
  void imbalanceTakesAnEmptySideForNothing() {
    float[] bid = {NAN, 30, 10, NAN, 0};
    float[] ask = {NAN, 10, NAN, 5, 0};

    float[] imbalance =
        lastDay(new DepthImbalance(), Bars.of(5, List.of("bidv1", "askv1"), bid, ask));

    assertThat(imbalance).containsExactly(NAN, 0.5f, 1, -1, -1);
  }

  @Test
  void volatilityRollsOverTheReturnsThatThereAre() {
    float[] close = {100, 101, NAN, 102, 102};

    float[] volatility = lastDay(new RealisedVolatility(2), Bars.of(5, List.of("close"), close));

    double first = 1e4 * Math.log(1.01);
    double second = 1e4 * Math.log(102.0 / 101);
    assertThat(volatility[0]).isNaN();
    assertThat(volatility[1]).isCloseTo((float) first, within(0.01f));
    assertThat(volatility[2]).isCloseTo((float) first, within(0.01f));
    assertThat(volatility[3]).isCloseTo((float) second, within(0.01f));
    assertThat(volatility[4]).isCloseTo((float) (second / Math.sqrt(2)), within(0.01f));
  }

  @Test
  void profileComparesTheVolumeSoFarWithEarlierDays() {
    float[] volume = {10, 30, NAN, 40, 80, NAN, 0, 0, 0, 30, NAN, 60};

    float[] profile = lastDay(new VolumeProfile(), Bars.of(3, List.of("volume"), volume));

    // Days of 40 and 120 and one without trades, which says nothing about a usual day of 80.
    assertThat(profile)
        .containsExactly(30 / 80f, (float) ((0.25 + 40 / 120.0) / 2), 30 / 80f, 1, 90 / 80f, 1);
  }

  @Test
  void profileOfTheFirstDayIsUnknown() {
    float[] profile =
        lastDay(new VolumeProfile(), Bars.of(2, List.of("volume"), new float[] {1, 2}));

    assertThat(profile).containsOnly(NAN);
  }

  private static float[] lastDay(FeatureProvider provider, Bars bars) {
    BarSeries series = bars.series();
    int day = series.endDay() - 1;
    DayFrame frame = Objects.requireNonNull(series.day(day));
    float[] features = new float[frame.ticks() * provider.columns().size()];
    provider.compute(
        frame, ComputedFeatures.earlier(series, day, provider.earlierDays()), features);
    return features;
  }
}
