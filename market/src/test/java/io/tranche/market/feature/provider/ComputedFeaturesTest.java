package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.feature.Bars;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.testkit.Allocation;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ComputedFeaturesTest {

  private static final LocalDate SECOND = LocalDate.of(2024, 1, 2);

  @Test
  void givesTodayAndYesterdayTickByTick() {
    float[] bid = {99, Float.NaN, 98, 98};
    float[] ask = {101, 101, 102, 100};
    var source = source(Bars.of(2, List.of("bid", "ask"), bid, ask), 4);

    DayFeatures day = source.day(Bars.INSTRUMENT, SECOND);

    assertThat(source.columns())
        .isEqualTo(new FeatureColumns(List.of("$spread"), List.of("$spread_1")));
    assertThat(day.ticks()).isEqualTo(2);
    assertThat(day.today(0, 0)).isEqualTo(400);
    assertThat(day.yesterday(0, 0)).isEqualTo(200);
    assertThat(day.yesterday(1, 0)).isEqualTo(200);
  }

  @Test
  void aDayWithoutBarsIsEmptyAndTheFirstDayHasNoYesterday() {
    var source = source(Bars.random(1, 2, 3, 0), 4);

    assertThat(source.day(Bars.INSTRUMENT, LocalDate.of(2030, 1, 1)).ticks()).isZero();
    assertThat(source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 1)).yesterday(0, 0)).isZero();
  }

  @Test
  void refusesBarsWithoutTheFieldsAndUnknownInstruments() {
    var noQuotes = Bars.of(1, List.of("close"), new float[] {1});

    assertThatThrownBy(() -> source(noQuotes, 4))
        .isInstanceOf(DataException.class)
        .hasMessage("feature spread: expected bars with the fields [bid, ask], was [close]");
    assertThatThrownBy(() -> source(Bars.random(1, 2, 3, 0), 4).day("nobody", SECOND))
        .isInstanceOf(DataException.class);
  }

  @Test
  void keepsTheDaysUsedLast() {
    var source = source(Bars.random(1, 4, 3, 0), 2);
    DayFeatures first = source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 1));
    source.day(Bars.INSTRUMENT, SECOND);

    assertThat(source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 1))).isSameAs(first);
    DayFeatures third = source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 3)); // drops the second
    assertThat(source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 1))).isSameAs(first);
    assertThat(source.day(Bars.INSTRUMENT, LocalDate.of(2024, 1, 3))).isSameAs(third);
  }

  @Test
  void threadsThatAskAtOnceShareOneAnswer() throws Exception {
    var source = source(Bars.random(1, 40, 3, 0), 8);

    try (var pool = Executors.newFixedThreadPool(8)) {
      var answers = new ArrayList<Future<DayFeatures>>();
      for (int i = 0; i < 4000; i++) {
        LocalDate date = SECOND.plusDays(i % 30);
        answers.add(pool.submit(() -> source.day(Bars.INSTRUMENT, date)));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get().date()).isEqualTo(SECOND.plusDays(i % 30));
      }
    }
    DayFeatures day = source.day(Bars.INSTRUMENT, SECOND);
    assertThat(source.day(Bars.INSTRUMENT, SECOND)).isSameAs(day);
  }

  @Test
  void aWarmLookupAllocatesNothing() {
    var source = source(Bars.random(1, 3, 3, 0), 4);

    // What measuring itself costs is far below a byte a lookup.
    assertThat(Allocation.settledBytesOf(10_000, () -> lookUp(source, 100_000))).isLessThan(10_000);
  }

  private static void lookUp(FeatureSource source, int times) {
    for (int i = 0; i < times; i++) {
      if (source.day(Bars.INSTRUMENT, SECOND).ticks() != 3) {
        throw new AssertionError("a day must have 3 ticks");
      }
    }
  }

  private static FeatureSource source(Bars bars, int cachedDays) {
    return ComputedFeatures.of(bars, List.of(new Spread()), 0, cachedDays);
  }
}
