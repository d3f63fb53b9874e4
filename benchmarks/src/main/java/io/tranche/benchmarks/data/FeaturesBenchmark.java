package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.FieldSource;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.pipeline.HandlerExpressions;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Makes the normalised features and backtest columns of 40 stocks over 80 days of minutes, from a
/// store on disk to a store on disk, on one thread. Peers: the steps of Qlib's
/// `gen_pickle_data.py` in one process, and NumPy over all stocks at once, which knows no gaps.
public final class FeaturesBenchmark {

  private static final int BARS_A_DAY = 240;
  private static final int DAYS_CUT = 2; // used up by the windows of the features

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "features",
          "How fast are the feature pipeline and, per bar, its expressions?",
          """
          features.pipeline.wall features.pipeline.cpu
          features.expression.ns
          """,
          FeaturesBenchmark::run);

  private FeaturesBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    int instruments = options.count(40, 2);
    int days = options.count(80, 8);
    Path root = options.work().resolve("store");
    Generated.write(
        Generated.bars(instruments, days, Frequency.MINUTE),
        QlibStoreWriter.create(root, Existing.REFUSE));
    // A date alone as the end is its midnight, so the last day is left out on both sides.
    long rows = (long) instruments * (days - DAYS_CUT - 1) * BARS_A_DAY;
    var figures = new ArrayList<Figure>();
    var targets =
        new ArrayList<Path>(); // each run needs a new one, because an existing store is kept
    try (PeerTurns python =
        PeerTurns.start(options, "qlib", "feature_pipeline.py", peerArguments(root))) {
      figures.addAll(
          new SideBySide(
                  options,
                  "features.pipeline",
                  "10 features and 2 price columns of 739,200 minutes, store to store",
                  () -> {
                    targets.add(options.work().resolve("features" + targets.size()));
                    return sizes(make(root, targets.getLast(), rows));
                  })
              .within(1e-4) // the peers add up single floats
              .against(Row.Form.USUAL, "Qlib's script", python, "qlib")
              .against(Row.Form.EXPERT, "NumPy, no gaps", python, "numpy")
              .run(options.count(3, 0), options.count(10, 1)));
    }
    double expression = Micro.nanos(options, ExpressionEvaluation.class, "bar", 1);
    figures.add(new Figure("features.expression.ns", expression, "ns"));
    return figures;
  }

  private static FeatureStore make(Path root, Path target, long rows) throws IOException {
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE)) {
      Calendar calendar = store.calendar();
      FeatureConfig config =
          Generated.features(
              BarTime.of(calendar.date(DAYS_CUT)),
              BarTime.of(calendar.date(calendar.days() - 1)),
              calendar.time(calendar.dayEnd(trainEnd(calendar)) - 1),
              BARS_A_DAY);
      FeatureStore made = FeaturePipeline.run(store, config, target, 1, FeatureProgress.NONE);
      Generated.requireRows(rows, (long) made.instruments().size() * made.calendar().size());
      return made;
    }
  }

  /// The mean size of each column: features of today and yesterday, close, and the logarithm of
  /// the volume.
  private static Supplier<double[]> sizes(FeatureStore made) {
    List<String> prices = Generated.PRICES;
    return () -> {
      var columns = new ArrayList<>(prices);
      columns.addAll(prices.stream().map(name -> name + "_1").toList());
      columns.addAll(List.of("$volume", "$volume_1"));
      try (FeatureSource features = made.features(new FeatureColumns(columns, List.of()), 1);
          FeatureSource backtest =
              made.backtest(new FeatureColumns(List.of("$close0", "$volume0"), List.of()), 1)) {
        double[] sums = new double[columns.size() + 2];
        long rows = 0;
        for (String instrument : made.instruments()) {
          for (int day = 0; day < made.calendar().days(); day++) {
            DayFeatures seen = features.day(instrument, made.calendar().date(day));
            DayFeatures traded = backtest.day(instrument, made.calendar().date(day));
            for (int tick = 0; tick < seen.ticks(); tick++, rows++) {
              for (int column = 0; column < columns.size(); column++) {
                sums[column] += Math.abs(seen.today(tick, column));
              }
              sums[columns.size()] += traded.today(tick, 0);
              sums[columns.size() + 1] += Math.log1p(traded.today(tick, 1));
            }
          }
        }
        long count = rows;
        return Arrays.stream(sums).map(sum -> sum / count).toArray();
      }
    };
  }

  /// Returns the last day of the training split, from which statistics are taken.
  private static int trainEnd(Calendar calendar) {
    return calendar.days() * 6 / 10;
  }

  private static Object[] peerArguments(Path root) {
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE)) {
      Calendar calendar = store.calendar();
      int trainEnd = trainEnd(calendar);
      int validEnd = calendar.days() * 8 / 10;
      return new Object[] {
        root,
        Frequency.MINUTE,
        BARS_A_DAY,
        calendar.date(DAYS_CUT),
        calendar.date(trainEnd),
        calendar.date(trainEnd + 1),
        calendar.date(validEnd),
        calendar.date(validEnd + 1),
        calendar.date(calendar.days() - 1)
      };
    }
  }

  /// Answers one question: how long do all ten feature expressions of Qlib's handler take per bar,
  /// with the bars in memory?
  @State(Scope.Thread)
  public static class ExpressionEvaluation {

    private static final int DAYS = 80; // of a training run of Qlib's example

    private final List<Expression> expressions =
        HandlerExpressions.features(Generated.PRICES, BARS_A_DAY).values().stream()
            .map(Expression::parse)
            .toList();
    private final BarSource bars = Generated.bars(1, DAYS, Frequency.MINUTE);
    private final BarSeries series = bars.series(bars.instruments().getFirst());
    private final ExpressionPlan plan =
        new ExpressionPlan(bars.calendar(), expressions, 0, DAYS * BARS_A_DAY - 1);
    private final FieldSource fields = this::load;

    private Column load(String field, int from, int to) {
      float[] values = new float[to + 1 - from];
      series.copy(series.fieldIndex(field), from, values, 0, values.length);
      return Column.ofField(from, values);
    }

    @org.openjdk.jmh.annotations.Benchmark
    @OperationsPerInvocation(DAYS * BARS_A_DAY)
    public List<Column> bar() {
      return plan.evaluate(series.instrument(), fields);
    }
  }
}
