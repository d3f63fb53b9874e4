package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.Streaming;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionFeaturesTest {

  private static final FeatureColumns COLUMNS =
      new FeatureColumns(
          List.of("$open", "$close", "$volume"), List.of("$open_1", "$close_1", "$volume_1"));

  private static final List<FeatureProvider> PROVIDERS =
      List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay());

  @TempDir private Path folder;

  /// A half day, a late open, a halt and a missing day are among the days, and a split for half of
  /// the kinds.
  @ParameterizedTest
  @CsvSource({
    "US_STOCKS, 1",
    "US_STOCKS, 15",
    "CN_STOCKS, 5",
    "CN_FUTURES, 1",
    "CN_FUTURES, 5",
    "CN_FUTURES, 15",
    "CRYPTO, 5",
    "CRYPTO, 15"
  })
  void everyMarketStreamsAsTheStoreHasIt(Kind kind, int minutes) throws IOException {
    var made = new MarketBars(kind, minutes, Columns.NEITHER, 12, 7);
    Path file = made.write(folder);
    if (minutes > 1) {
      addFactor(file, made.dates().get(7));
    }
    try (BarSource bars = BarFiles.openSessions(file, ColumnMapping.DEFAULT)) {
      FeatureStore store = run(bars, "", "store");
      FeatureRecipe recipe = store.recipe(COLUMNS);
      FeatureRecipe read = FeatureRecipes.from(recipe.toConfig());
      FeatureSource features = store.features(COLUMNS, 40);
      FeatureSource computed = ComputedFeatures.of(bars, PROVIDERS, 0, 40);

      assertThat(read).isEqualTo(recipe);
      // `Map.of` has another order in each process.
      assertThat(ConfigFiles.load(folder.resolve("store/features.yml")).required("days").asList())
          .allSatisfy(group -> assertThat(group.keys()).containsExactly("instruments", "ticks"));
      assertThat(store.instruments()).hasSize(kind.instruments().size());
      assertThat(store.dropped()).isEmpty();
      for (String code : kind.instruments()) {
        BarSeries series = bars.series(code);
        Calendar calendar = series.calendar();
        for (int day = series.firstDay(); day < series.endDay(); day++) {
          LocalDate date = calendar.date(day);
          boolean trades = Objects.requireNonNull(series.day(day)).hasBars();
          DayFeatures whole = features.day(code, date);
          boolean isWanted = trades && traded(series, day) >= 2;
          int ticks = calendar.dayEnd(day) - calendar.dayStart(day);

          assertThat(whole.ticks()).as("%s on %s", code, date).isEqualTo(isWanted ? ticks : 0);
          if (isWanted) {
            assertThat(whole.time(0)).isEqualTo(calendar.time(calendar.dayStart(day)));
            Streaming.assertEqualsBatch(read, features, bars, code, day, day);
          }
          if (isWanted) { // before, nobody knows how long a day is
            Streaming.assertEqualsBatch(computed.recipe(), computed, bars, code, day, day);
          }
        }
      }
    }
  }

  /// Yesterday's column is the same tick of the day before, also where that was a half day.
  @Test
  void theDayAfterAHalfDayLooksAtTheSameTicks() {
    var made = new MarketBars(Kind.US_STOCKS, 5, Columns.NEITHER, 12, 3);
    try (BarSource bars = BarFiles.openSessions(made.write(folder), ColumnMapping.DEFAULT)) {
      FeatureStore store = run(bars, "", "store");
      String code = Kind.US_STOCKS.instruments().getFirst();
      FeatureSource features = store.features(COLUMNS, 40);
      for (int day = MarketBars.EARLY_CLOSE; day < 12; day++) {
        DayFeatures before = features.day(code, made.dates().get(day - 1));
        DayFeatures today = features.day(code, made.dates().get(day));
        BarSeries series = bars.series(code);
        double scale = close(series, day - 3) / close(series, day - 1);
        GroupStatistics price = store.statistics().getFirst();
        for (int tick = 0; tick < Math.min(before.ticks(), today.ticks()); tick++) {
          // The same price twice: over the close two days before, and over that day's own.
          double then = before.today(tick, 1) * price.deviation() + price.mean();
          double now = today.yesterday(tick, 1) * price.deviation() + price.mean();
          if (!Objects.requireNonNull(series.day(day - 1)).isMissing(tick)) {
            assertThat(now)
                .as("day %d, tick %d", day, tick)
                .isBetween(then * scale - 1e-5, then * scale + 1e-5);
          }
        }
      }
    }
  }

  private static long traded(BarSeries series, int day) {
    return ComputedFeatures.earlier(series, day, 2).stream().filter(DayFrame::hasBars).count();
  }

  private static double close(BarSeries series, int day) {
    int row = series.calendar().dayEnd(day) - 1 - series.firstBar();
    while (Float.isNaN(series.value(series.fieldIndex("close"), row))) {
      row--;
    }
    return series.value(series.fieldIndex("close"), row);
  }

  @Test
  void aSplitChangesNoAdjustedFeatureButFillsStayAsTheyAre() throws IOException {
    var made = new MarketBars(Kind.CN_STOCKS, 15, Columns.NEITHER, 12, 5);
    Path plain = made.write(folder.resolve("plain"));
    Path split = made.write(folder.resolve("split"));
    addFactor(split, made.dates().get(7));
    FeatureColumns traded = new FeatureColumns(List.of("$close0", "$volume0"), List.of());
    try (BarSource before = BarFiles.openSessions(plain, ColumnMapping.DEFAULT);
        BarSource after = BarFiles.openSessions(split, ColumnMapping.DEFAULT)) {
      FeatureStore one = run(before, "", "one");
      FeatureStore two = run(after, "", "two");
      String code = Kind.CN_STOCKS.instruments().getFirst();
      for (LocalDate date : made.dates().subList(3, 12)) {
        DayFeatures expected = one.features(COLUMNS, 1).day(code, date);
        DayFeatures adjusted = two.features(COLUMNS, 1).day(code, date);
        DayFeatures price = one.backtest(traded, 1).day(code, date);
        DayFeatures halved = two.backtest(traded, 1).day(code, date);
        boolean isAfter = !date.isBefore(made.dates().get(7));
        for (int tick = 0; tick < expected.ticks(); tick++) {
          for (int column = 0; column < 3; column++) {
            assertThat(adjusted.today(tick, column)).isEqualTo(expected.today(tick, column));
            assertThat(adjusted.yesterday(tick, column))
                .isEqualTo(expected.yesterday(tick, column));
          }
          Float wanted = price.today(tick, 0) / (isAfter ? 2 : 1); // NaN where there is no bar
          assertThat(halved.today(tick, 0)).isEqualTo(wanted);
        }
      }
      assertThat(two.recipe(COLUMNS).fields()).contains(Adjustment.FACTOR);
    }
  }

  /// Halves prices and doubles volumes from `date` on, with a factor that says so.
  private static void addFactor(Path file, LocalDate date) throws IOException {
    var lines = new ArrayList<String>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(",", -1);
      if (lines.isEmpty()) {
        lines.add("instrument,datetime,open,close,volume,factor");
        continue;
      }
      int factor = cells[1].compareTo(date.toString()) < 0 ? 1 : 2;
      lines.add(
          String.join(
              ",",
              cells[0],
              cells[1],
              Double.toString(Float.parseFloat(cells[2]) / factor),
              Double.toString(Float.parseFloat(cells[3]) / factor),
              Long.toString(Long.parseLong(cells[4]) * factor),
              Integer.toString(factor)));
    }
    Files.write(file, lines);
  }

  @Test
  void saysWhatIsLeftOut() {
    var made = new MarketBars(Kind.CN_FUTURES, 15, Columns.NEITHER, 12, 5);
    try (BarSource bars = BarFiles.openSessions(made.write(folder), ColumnMapping.DEFAULT)) {
      FeatureStore kept = run(bars, "", "kept");
      FeatureStore whole = run(bars, "whole_window: true\nstart: 2024-03-06\n", "whole");

      assertThat(kept.notes())
          .containsExactly(
              "6 days of 3 instruments have no features, the first of CNFUTURES0: features need"
                  + " bars on two days before");
      assertThat(whole.dropped()).isEmpty();
      assertThatThrownBy(() -> run(bars, "whole_window: true\n", "none"))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("bars for all that time and for 74 bars (2 x day_length) before");
      assertThatThrownBy(() -> run(bars, "day_length: 48\n", "wrong"))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("day_length: expected")
          .hasMessageEndingWith("or nothing, was 48");
      assertThat(FeatureStore.open(folder.resolve("kept")).notes()).isEqualTo(kept.notes());
    }
  }

  private FeatureStore run(BarSource bars, String more, String name) {
    String start = more.contains("start:") ? "" : "start: 2024-03-01\n";
    String yaml =
        start
            + more
            + "end: 2024-04-01\ncolumns: [$open, $close]\n"
            + "norm_groups: {price: 4, volume: 2}\n";
    try {
      return FeaturePipeline.run(
          bars,
          FeatureConfig.from(ConfigFiles.parse("c", yaml)),
          folder.resolve(name),
          2,
          FeatureProgress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
