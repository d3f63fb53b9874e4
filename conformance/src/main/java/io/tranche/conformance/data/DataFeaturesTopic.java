package io.tranche.conformance.data;

import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.pipeline.GroupStatistics;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `data_features.json`: the feature pipeline run on the 5-minute store, and days read back.
public final class DataFeaturesTopic implements Topic.Answers {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int CACHED_DAYS = 100;

  /// The configuration, stock, date and column of cases that do not name one.
  private static final String CONFIG = "day48";

  private static final String STOCK = "SH600000";
  private static final String DATE = "2021-03-02";
  private static final FeatureColumns CLOSE = new FeatureColumns(List.of("$close"), List.of());
  private static final String PIPELINE = "pipeline_";

  /// The cases of one golden file that share a run of the pipeline.
  private record Run(Path directory, JsonNode file, String config) {}

  private @Nullable Run last;
  private Map<String, Supplier<JsonNode>> answers = Map.of();

  /// A volume feature is a logarithm minus a mean, over a deviation of about a quarter. NumPy's
  /// float32 logarithm is off by up to two units in the last place, differently on each processor,
  /// so Qlib itself does not reproduce these values everywhere. A value close to zero keeps the
  /// error.
  public static double slack(String path, double largest) {
    return path.startsWith("$.today[") || path.startsWith("$.yesterday[") ? 1e-6 : 0;
  }

  @Override
  public synchronized JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    var run = new Run(directory, file, configName(testCase));
    if (!run.equals(last)) {
      answers = withStore(directory, pipelineInput(run), store -> answers(run, store));
      last = run;
    }
    Supplier<JsonNode> answer = answers.get(testCase.get("name").stringValue());
    if (answer == null) {
      throw new DataException("data_features", "one of the file's cases", testCase.get("name"));
    }
    return answer.get();
  }

  /// Answers all cases of one configuration, so that its pipeline runs once.
  private static Map<String, Supplier<JsonNode>> answers(Run run, FeatureStore store) {
    var answers = new HashMap<String, Supplier<JsonNode>>();
    for (JsonNode testCase : run.file().get("cases")) {
      if (configName(testCase).equals(run.config())) {
        String name = testCase.get("name").stringValue();
        try {
          JsonNode answer = answer(store, name, testCase.get("input"));
          answers.put(name, () -> answer);
        } catch (DataException refusal) {
          answers.put(
              name,
              () -> {
                throw refusal;
              });
        }
      }
    }
    return answers;
  }

  private static String configName(JsonNode testCase) {
    String name = testCase.get("name").stringValue();
    return name.startsWith(PIPELINE)
        ? name.substring(PIPELINE.length())
        : testCase.get("input").path("config").asString(CONFIG);
  }

  private static JsonNode pipelineInput(Run run) {
    for (JsonNode testCase : run.file().get("cases")) {
      if (testCase.get("name").stringValue().equals(PIPELINE + run.config())) {
        return testCase.get("input");
      }
    }
    throw new DataException("data_features", "a case " + PIPELINE + run.config(), "none");
  }

  private static JsonNode answer(FeatureStore store, String name, JsonNode input) {
    if (name.startsWith(PIPELINE)) {
      return pipeline(store, input);
    }
    return switch (name) {
      case "index_only" -> indexOnly(store, input);
      case "provider_cache_ignores_columns" -> twoProviders(store, input);
      case "date_with_time_of_day_is_truncated",
          "date_without_data",
          "missing_stock_file",
          "missing_column" ->
          shapeOnly(store, input);
      default -> day(store, input);
    };
  }

  /// Runs the pipeline into a folder of its own, which is deleted afterwards.
  private static <T> T withStore(
      Path directory, JsonNode input, Function<FeatureStore, T> question) {
    Path root = directory.resolve("dataset/bin_5min");
    try (var bars = QlibStore.open(root, Frequency.parse(input.get("freq").stringValue()))) {
      return Topic.inFolder(
          folder ->
              question.apply(
                  FeaturePipeline.run(
                      bars, config(input), folder.resolve("store"), 2, FeatureProgress.NONE)));
    }
  }

  /// Qlib reads the end of the window as midnight, and that of the fit as the end of the day.
  private static FeatureConfig config(JsonNode input) {
    Map<String, Integer> groups = new LinkedHashMap<>();
    input.get("norm_groups").forEachEntry((name, size) -> groups.put(name, size.intValue()));
    long start = time(input, "start");
    return FeatureConfig.qlib(
            start,
            time(input, "end"),
            input.get("day_length").intValue(),
            GoldenFrames.texts(input.get("columns")),
            groups)
        .withFit(start, time(input, "tend") + BarTime.SECONDS_A_DAY - 1);
  }

  private static JsonNode pipeline(FeatureStore store, JsonNode input) {
    ObjectNode statistics = JSON.objectNode();
    for (GroupStatistics group : store.statistics()) {
      statistics.put(group.name() + "_mean", group.mean());
      statistics.put(group.name() + "_std", group.deviation());
      statistics.put(group.name() + "_vmax", group.max());
      statistics.put(group.name() + "_vmin", group.min());
    }
    Calendar calendar = store.calendar();
    int train = calendar.floor(time(input, "tend") + BarTime.SECONDS_A_DAY - 1) + 1;
    int validation = calendar.size() - calendar.ceiling(time(input, "tend"));
    int stocks = store.instruments().size();
    JsonNode lengths =
        GoldenValue.tree(List.of(train * stocks, validation * stocks, validation * stocks));
    ArrayNode files = JSON.arrayNode();
    ObjectNode rows = JSON.objectNode();
    for (String stock : store.instruments()) {
      files.add(stock + ".pkl");
      rows.put(stock, train);
    }
    return JSON.objectNode()
        .set("statistics", statistics)
        .set("feature_columns", GoldenValue.tree(store.featureExpressions().keySet()))
        .set("feature_expressions", GoldenValue.tree(store.featureExpressions()))
        .set("backtest_expressions", GoldenValue.tree(store.backtestExpressions()))
        .set("segment_lengths", both(lengths))
        .set("stock_files", both(files))
        .set("train_rows_per_stock", rows);
  }

  private static JsonNode day(FeatureStore store, JsonNode input) {
    boolean backtest = input.get("backtest").booleanValue();
    var columns =
        new FeatureColumns(
            GoldenFrames.texts(input.get("columns_today")),
            GoldenFrames.texts(input.get("columns_yesterday")));
    FeatureSource source =
        backtest ? store.backtest(columns, CACHED_DAYS) : store.features(columns, CACHED_DAYS);
    DayFeatures day = source.day(input.get("stock").stringValue(), date(input));
    ObjectNode answer = JSON.objectNode();
    answer.set("index", index(day));
    answer.set("today", matrix(day.ticks(), columns.today().size(), day::today));
    answer.set("yesterday_shape", shape(day, columns.yesterday()));
    answer.put("dtype", "float32");
    if (!backtest) {
      answer.set("yesterday", matrix(day.ticks(), columns.yesterday().size(), day::yesterday));
      answer.set("today_shape", shape(day, columns.today()));
      answer.set("today_columns", GoldenValue.tree(columns.today()));
      answer.set("yesterday_columns", GoldenValue.tree(columns.yesterday()));
    }
    return answer;
  }

  private static JsonNode indexOnly(FeatureStore store, JsonNode input) {
    DayFeatures day =
        store
            .features(FeatureColumns.NONE, CACHED_DAYS)
            .day(input.get("stock").stringValue(), date(input));
    return JSON.objectNode()
        .set("today_shape", shape(day, day.columns().today()))
        .set("yesterday_shape", shape(day, day.columns().yesterday()))
        .set("index", index(day));
  }

  private static JsonNode shapeOnly(FeatureStore store, JsonNode input) {
    FeatureColumns columns =
        input.has("columns_today")
            ? new FeatureColumns(GoldenFrames.texts(input.get("columns_today")), List.of())
            : CLOSE;
    DayFeatures day =
        store.features(columns, CACHED_DAYS).day(input.path("stock").asString(STOCK), date(input));
    return JSON.objectNode().set("today_shape", shape(day, columns.today()));
  }

  private static JsonNode twoProviders(FeatureStore store, JsonNode input) {
    DayFeatures all =
        store
            .features(
                new FeatureColumns(List.copyOf(store.featureExpressions().keySet()), List.of()),
                CACHED_DAYS)
            .day(STOCK, date(input));
    DayFeatures first = day(store, input, "first");
    DayFeatures second = day(store, input, "second");
    return JSON.objectNode()
        .set("first_columns", columnsByData(first, all))
        .set("second_columns", columnsByData(second, all))
        .put("same_object", first == second);
  }

  /// Returns the columns whose numbers `day` has, whatever it calls them. That the numbers of `all`
  /// are right is what the other cases are about.
  private static JsonNode columnsByData(DayFeatures day, DayFeatures all) {
    ArrayNode names = JSON.arrayNode();
    for (int column = 0; column < day.columns().today().size(); column++) {
      int own = column;
      IntStream.range(0, all.columns().today().size())
          .filter(
              other ->
                  IntStream.range(0, day.ticks())
                      .allMatch(tick -> day.today(tick, own) == all.today(tick, other)))
          .forEach(other -> names.add(all.columns().today().get(other)));
    }
    return names;
  }

  private static DayFeatures day(FeatureStore store, JsonNode input, String columns) {
    var today = new FeatureColumns(GoldenFrames.texts(input.get(columns)), List.of());
    return store.features(today, CACHED_DAYS).day(STOCK, date(input));
  }

  private static LocalDate date(JsonNode input) {
    return LocalDate.parse(input.path("date").asString(DATE).substring(0, 10));
  }

  private static long time(JsonNode input, String key) {
    return BarTime.parse(input.get(key).stringValue());
  }

  private static JsonNode index(DayFeatures day) {
    return GoldenValue.tree(
        IntStream.range(0, day.ticks()).mapToObj(i -> BarTime.format(day.time(i))).toList());
  }

  private static ArrayNode shape(DayFeatures day, List<String> columns) {
    return JSON.arrayNode().add(day.ticks()).add(columns.size());
  }

  @FunctionalInterface
  private interface Cell {
    float value(int row, int column);
  }

  private static ArrayNode matrix(int rows, int columns, Cell cell) {
    ArrayNode matrix = JSON.arrayNode();
    for (int row = 0; row < rows; row++) {
      ArrayNode line = matrix.addArray();
      for (int column = 0; column < columns; column++) {
        line.add(cell.value(row, column));
      }
    }
    return matrix;
  }

  private static ObjectNode both(JsonNode value) {
    return JSON.objectNode().set("feature", value).set("backtest", value);
  }
}
