package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.FieldSource;
import io.tranche.market.feature.FeatureProgress;
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
import java.util.List;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Makes the normalised features and backtest columns of 40 stocks over 80 days of minutes, from a
/// store on disk to a store on disk, on one thread. Peer: the steps of Qlib's `gen_pickle_data.py`,
/// in one process.
public final class FeaturesBenchmark {

  private static final int BARS_A_DAY = 240;
  private static final int DAYS_CUT = 2; // used up by the windows of the features

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "features",
          "How fast are the feature pipeline and, per bar, its expressions?",
          """
          features.pipeline.rows_per_s features.pipeline.wall features.pipeline.cpu
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
    var targets =
        new ArrayList<Path>(); // each run needs a new one, because an existing store is kept
    Timing pipeline =
        Timing.of(
            options.count(4, 1),
            options.count(7, 1),
            () -> {
              targets.add(options.work().resolve("features" + targets.size()));
              make(root, targets.getLast(), rows);
            });

    var figures = new ArrayList<>(pipeline.figures("features.pipeline", rows));
    double expression = Micro.nanos(options, ExpressionEvaluation.class, "bar", 1);
    figures.add(new Figure("features.expression.ns", expression, "ns"));
    Peer peer = Peer.prepare(options, "qlib");
    if (peer != null) {
      for (Peer.Run theirs :
          peer.answer("feature_pipeline.py", peerArguments(options, root)).runs().values()) {
        figures.addAll(theirs.compare(options, "features.pipeline", pipeline, rows));
      }
    }
    return figures;
  }

  private static void make(Path root, Path target, long rows) throws IOException {
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
    }
  }

  /// Returns the last day of the training split, from which statistics are taken.
  private static int trainEnd(Calendar calendar) {
    return calendar.days() * 6 / 10;
  }

  private static Object[] peerArguments(Options options, Path root) {
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
        calendar.date(calendar.days() - 1),
        options.count(2, 1)
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
