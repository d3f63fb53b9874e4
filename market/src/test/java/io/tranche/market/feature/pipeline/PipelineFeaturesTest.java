package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.feature.Bars;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.Streaming;
import io.tranche.market.feature.pipeline.PipelineFeatures.SteppedRows;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineFeaturesTest {

  private static final List<String> PRICES = List.of("$open", "$high", "$low", "$close");
  private static final FeatureColumns COLUMNS =
      new FeatureColumns(
          List.of("$open", "$high", "$low", "$close", "$volume", "$close_1"),
          List.of("$open_1", "$high_1", "$low_1", "$close_1", "$volume_1"));

  @TempDir Path folder;

  @Test
  void streamedRowsAreTheStoresToTheLastBit() {
    Cases.forAll(
        Cases.count(5, 200),
        random -> {
          int ticks = random.nextInt(1, 20);
          int days = random.nextInt(6, 14);
          var bars = Bars.random(random.nextLong(), days, ticks, random.nextDouble(0.5));
          BarSource damaged =
              Streaming.kept(Streaming.damaged(bars, Bars.INSTRUMENT, random), Bars.INSTRUMENT);
          FeatureStore store = store(damaged, 3, ticks);

          FeatureSource features = store.features(COLUMNS, days);
          for (int day = 3; day < days; day++) {
            Streaming.assertEqualsBatch(
                store.recipe(COLUMNS), features, damaged, Bars.INSTRUMENT, day, random.nextInt());
          }
        });
  }

  @Test
  void embeddedMarketsStreamAsTheStoreHasThem() {
    for (int minutes : new int[] {1, 5}) {
      int days = 40;
      try (var market =
          new SyntheticMarket(Streaming.embedded(Frequency.ofMinutes(minutes), days))) {
        FeatureStore store = store(market, 4, 240 / minutes);
        FeatureSource features = store.features(COLUMNS, days);
        String instrument = store.instruments().getFirst();
        for (int day : new int[] {4, 20, days - 1}) {
          Streaming.assertEqualsBatch(
              store.recipe(COLUMNS), features, market, instrument, day, day);
        }
      }
    }
  }

  /// The day has others behind it: whoever looked ahead would be found out.
  @Test
  void anyExpressionIsStreamedOrRefused() {
    var kinds = new TreeMap<String, Integer>();
    Cases.forAll(
        Cases.count(300, 10_000),
        random -> {
          int ticks = random.nextInt(1, 8);
          var bars = Bars.random(random.nextLong(), 6, ticks, random.nextDouble(0.6));
          BarSeries series =
              Streaming.damaged(bars, Bars.INSTRUMENT, random).series(Bars.INSTRUMENT);
          String text = RandomExpressions.next(random, ticks);
          kinds.merge(compare(text, series, random.nextInt(6)), 1, Integer::sum);
        });

    assertThat(kinds).containsOnlyKeys("impossible", "recomputed", "refused", "stepped");
  }

  private static String compare(String text, BarSeries all, int day) {
    FeatureRecipe recipe = recipe("{a: \"" + text + "\"}");
    BarSeries series = Streaming.only(recipe.fields(), all);
    Calendar calendar = series.calendar();
    var plan = new ExpressionPlan(calendar, List.of(Expression.parse(text)), 0, series.size() - 1);
    float[] expected;
    try {
      expected = RawColumns.evaluate(plan, series, RawColumns.firstPresent(series)).columns()[0];
    } catch (DataException e) {
      return "impossible";
    }
    LiveFeatures live;
    try {
      live = Streaming.open(recipe, series, day);
    } catch (ConfigException e) {
      return "refused";
    }
    int width = recipe.fields().size();
    for (int row = calendar.dayStart(day); row < calendar.dayEnd(day); row++) {
      float[] bar = new float[width];
      for (int field = 0; field < width; field++) {
        bar[field] = series.value(field, row);
      }
      float[] actual = new float[1];
      live.append(bar, 0, actual, 0);
      float wanted = Float.isNaN(expected[row]) ? 0 : expected[row] - 0f; // -0 less the mean is 0
      assertThat(actual[0]).as("%s at row %d of day %d", text, row, day).isEqualTo(wanted);
    }
    return live instanceof SteppedRows ? "stepped" : "recomputed";
  }

  @Test
  void appendingAllocatesNothing() {
    var bars = Bars.random(1, 40, 240, 0.1);
    FeatureRecipe recipe = store(bars, 4, 240).recipe(COLUMNS);
    float[] bar = new float[recipe.fields().size()];
    float[] row = new float[recipe.columns().today().size()];
    long bytes =
        Allocation.settledBytesOf(
            1,
            () -> Streaming.open(recipe, bars.series(), 39),
            day -> Streaming.appendAll(day, 240, bar, row));

    assertThat(Streaming.open(recipe, bars.series(), 39)).isInstanceOf(SteppedRows.class);
    assertThat(bytes).isZero();
  }

  @Test
  void onADayWithoutHistoryEverythingIsMissing() {
    var bars = Bars.random(1, 8, 10, 0);
    FeatureRecipe recipe = store(bars, 3, 10).recipe(COLUMNS);

    LiveFeatures live = Streaming.open(recipe, bars.series(), 0);
    float[] row = new float[6];
    live.append(new float[] {1, 1, 1, 1, 1}, 0, row, 0);

    assertThat(live).isInstanceOf(SteppedRows.class);
    assertThat(row).containsOnly(0);
    assertThat(live.yesterday()).containsOnly(0);
  }

  @Test
  void refusesColumnsThatLookAhead() {
    var bars = Bars.random(1, 8, 10, 0);
    FeatureStore store = store(bars, 3, 10);
    var swapped = new FeatureColumns(List.of("$close_1"), List.of("$close"));

    assertThatThrownBy(() -> Streaming.open(store.recipe(swapped), bars.series(), 7))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "expected bars of earlier days only, on a day of 10 bars, was bars of the day itself");
    assertThatThrownBy(() -> Streaming.open(recipe("{day: 'DayLast($close)'}"), bars.series(), 7))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expression 'DayLast($close)': expected bars up to the tick only");
    assertThatThrownBy(() -> store.recipe(new FeatureColumns(List.of("$bid"), List.of())))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a column of [$open, ");
  }

  @Test
  void refusesDamagedDays() {
    var bars = Bars.random(3, 8, 12, 0.2);
    float[] row = new float[9];
    for (FeatureRecipe recipe :
        List.of(
            store(bars, 3, 12).recipe(COLUMNS),
            recipe("{a: 'Mean($close, 3)', b: 'Ref($close, 12)'}"))) {
      LiveFeatures live = Streaming.open(recipe, bars.series(), 7);
      Streaming.appendAll(live, 5, new float[recipe.fields().size()], row);

      Streaming.assertRefusesDamage(recipe, live);
    }
  }

  @Test
  void configurationReadsBack() {
    FeatureRecipe recipe = store(Bars.random(1, 8, 10, 0), 3, 10).recipe(COLUMNS);

    String yaml = recipe.toConfig().toYaml();

    assertThat(FeatureRecipes.from(ConfigFiles.parse("m", yaml))).isEqualTo(recipe);
    var empty = new PipelineFeatures(10, List.of(), List.of());
    assertThat(FeatureRecipes.from(empty.toConfig())).isEqualTo(empty);
    assertRefused(yaml + "more: 1\n", "'more'");
    assertRefused(yaml.replace("day_length: 10", "day_length: 0"), "expected bars per day");
    assertRefused(yaml.replace("group: volume", "group: size"), "one of [price, volume]");
    assertRefused(yaml.replace("mean:", "moan:"), "'moan'");
    assertRefused(yaml.replace("deviation: ", "deviation: -"), "expected a positive number");
    assertRefused(yaml.replace("IsNull($open)", "IsNull($open"), "expression");
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> FeatureRecipes.from(ConfigFiles.parse("m", yaml)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  /// Columns of today by name, normalised by nothing.
  private static FeatureRecipe recipe(String columns) {
    var node = ConfigFiles.parse("m", columns);
    var yaml = new StringBuilder("kind: pipeline\nday_length: 10\nyesterday: []\n");
    yaml.append("statistics: {plain: {mean: 0, deviation: 1, max: 1, min: 0}}\ntoday:\n");
    for (String name : node.keys()) {
      yaml.append(
          "  - {name: %s, expression: '%s', group: plain}\n"
              .formatted(name, node.required(name).asText()));
    }
    return FeatureRecipes.from(ConfigFiles.parse("m", yaml.toString()));
  }

  private FeatureStore store(BarSource bars, int firstDay, int dayLength) {
    Calendar calendar = bars.calendar();
    var groups = new LinkedHashMap<String, Integer>();
    groups.put("price", 2 * PRICES.size());
    groups.put("volume", 2);
    long start = calendar.time(calendar.dayStart(firstDay));
    long end = calendar.time(calendar.size() - 1);
    var config = FeatureConfig.qlib(start, end, dayLength, PRICES, groups);
    try {
      Path target = Files.createTempDirectory(folder, "store").resolve("s");
      return FeaturePipeline.run(bars, config, target, 1, FeatureProgress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(BarTime.format(start), e);
    }
  }
}
