package io.tranche.benchmarks.backtest;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Executes orders as `tranche backtest` does, from the files to the result, with days split into
/// half hours and these into minutes: with TWAP, and with PPO and Qlib's default network above it.
///
/// Peer: the real Qlib on some of the same orders, with the same store, weights and features. It
/// must produce the same rows.
public final class BacktestBenchmark {

  private static final List<String> STRATEGIES = List.of("twap", "ppo");
  private static final int INSTRUMENTS = 16;

  /// With this many, each of two threads has more orders than its policy keeps encoded days, so
  /// that every turn encodes them all.
  private static final int DAYS = 160;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "backtest",
          "How many orders a second does a backtest work, and what is a second thread worth?",
          BacktestBenchmark.figures(),
          BacktestBenchmark::run);

  private BacktestBenchmark() {}

  private static List<String> figures() {
    var figures = new ArrayList<String>();
    for (String strategy : STRATEGIES) {
      figures.add(figure(strategy, "orders_per_s"));
      figures.add(figure(strategy, "2threads.scaling"));
      figures.add(figure(strategy, "sgemm.scaling"));
      figures.add(figure(strategy, "2threads.share"));
    }
    figures.addAll(BacktestMemory.FIGURES);
    return figures;
  }

  private static String figure(String strategy, String name) {
    return "backtest." + strategy + "." + name;
  }

  private static List<Figure> run(Options options) throws IOException {
    var data =
        new BacktestData(options.work(), options.count(INSTRUMENTS, 3), options.count(DAYS, 4));
    var comparison = new BacktestComparison(options, data);
    var figures = new ArrayList<Figure>();
    for (String strategy : STRATEGIES) {
      figures.addAll(measure(options, data, strategy, comparison));
    }
    figures.addAll(BacktestMemory.figures(options, data));
    return figures;
  }

  private static List<Figure> measure(
      Options options, BacktestData data, String strategy, BacktestComparison comparison)
      throws IOException {
    var matrix = MatrixProduct.of(options);
    double[] fastest;
    Timing ours;
    try (Backtest one = open(data, strategy, 1);
        Backtest two = open(data, strategy, 2)) {
      fastest =
          Timing.fastest(
              options.count(30, 1), // the compiler is not done with it before
              () -> work(one, data),
              () -> work(two, data),
              () -> matrix.compute(1),
              () -> matrix.compute(2));
      ours = Timing.of(0, options.count(3, 1), () -> work(one, data));
    }
    options
        .log()
        .printf("%s, fastest turns, orders and matrix: %s s%n", strategy, Arrays.toString(fastest));
    double scaling = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    var figures =
        new ArrayList<>(
            List.of(
                new Figure(
                    figure(strategy, "orders_per_s"), data.orders() / fastest[0], "orders/s"),
                new Figure(figure(strategy, "2threads.scaling"), scaling, "x"),
                new Figure(figure(strategy, "sgemm.scaling"), product, "x"),
                new Figure(figure(strategy, "2threads.share"), scaling / product, "of sgemm's")));
    figures.addAll(comparison.figures(strategy, ours));
    return figures;
  }

  private static Backtest open(BacktestData data, String strategy, int threads) throws IOException {
    Path out = Files.createTempDirectory(data.folder(), strategy);
    return Backtest.open(
        data.config(strategy, data.allOrders()),
        BacktestOptions.DEFAULT.withThreads(threads).in(out),
        _ -> {});
  }

  private static void work(Backtest backtest, BacktestData data) {
    Generated.requireRows(data.orders(), backtest.run((_, _, _) -> {}).summary().filled());
  }
}
