package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.feature.Bars;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FeatureProviderTest {

  private static final float NAN = Float.NaN;

  @Test
  void findsTheBuiltInProvidersByName() {
    assertThat(FeatureProvider.installed())
        .extracting(FeatureProvider::name)
        .contains(
            "spread",
            "depth_imbalance",
            "price_moves",
            "realised_volatility",
            "relative_volume",
            "time_of_day",
            "volume_ahead",
            "volume_profile");
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

  @Test
  void movesAreInUnitsOfTheUsualReturnAndForgotten() {
    // Yesterday went up by 1 % and down again. Today goes up by 1 %, misses a bar and stays.
    float up = (float) (100 * Math.exp(0.01));
    float[] open = {100, up, NAN, 100, NAN, up};
    float[] close = {up, 100, NAN, up, NAN, up};
    float[] volume = {1, 1, NAN, 1, NAN, 3};

    float[] moves =
        lastDay(
            new PriceMoves(List.of(2), 1),
            Bars.of(3, List.of("open", "close", "volume"), open, close, volume));

    assertThat(moves[0]).isCloseTo(1, within(1e-4f));
    assertThat(moves[2]).isCloseTo((float) Math.exp(-0.5), within(1e-4f));
    assertThat(moves[4]).isCloseTo((float) Math.exp(-1), within(1e-4f));
    assertThat(new float[] {moves[1], moves[3], moves[5]}).containsOnly(0);
  }

  @Test
  void momentumOfADayWithoutAPastIsUnknown() {
    float[] moves =
        lastDay(
            new PriceMoves(),
            Bars.of(
                2,
                List.of("open", "close", "volume"),
                new float[] {1, 2},
                new float[] {2, 3},
                new float[] {1, 1}));

    assertThat(moves).hasSize(8).containsOnly(NAN);
  }

  @Test
  void relativeVolumeIsZeroOnAUsualDay() {
    float[] volume = {10, 30, 20, 60, 15, 45};

    float[] relative = lastDay(new RelativeVolume(), Bars.of(2, List.of("volume"), volume));

    assertThat(relative[0]).isCloseTo(0, within(1e-6f));
    assertThat(relative[1]).isCloseTo(0, within(1e-6f));
  }

  @Test
  void timeRunsFromMinusOneToOne() {
    float[] time = lastDay(new TimeOfDay(), Bars.of(3, List.of("close"), new float[] {1, 1, 1}));

    assertThat(time).containsExactly(-1, 0, 1);
  }

  @Test
  void aHalfDayEndsBeforeOne() {
    var dates = List.of(LocalDate.of(2024, 3, 4));
    var times = List.of(new long[] {600, 660});
    var calendar = Calendar.ofDays(Frequency.MINUTE, dates, times, 5);
    float[][] closes = {{1, 1}};
    BarSeries series = BarSeries.wrap("A", calendar, 0, List.of("close"), closes);
    float[] time = new float[2];

    new TimeOfDay().compute(Objects.requireNonNull(series.day(0)), List.of(), time);

    assertThat(time).containsExactly(-1, -0.5f);
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
