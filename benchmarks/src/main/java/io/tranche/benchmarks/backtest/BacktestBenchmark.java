package io.tranche.benchmarks.backtest;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// Executes orders as `tranche backtest` does, from the files to the result, with days split into
/// half hours and these into minutes: with TWAP, and with PPO and Qlib's default network above it.
///
/// Peers work forty of the orders, from opening the store to the written result, as we do then: the
/// real Qlib, with the same weights and features, which must write the same rows; and NumPy with
/// PyTorch over all orders at once, which knows neither levels, costs nor limits.
public final class BacktestBenchmark {

  private static final double TOLERANCE = 1e-9;
  private static final int INSTRUMENTS = 16;
  private static final List<String> STRATEGIES = List.of("twap", "ppo");
  private static final List<String> COMPARED =
      List.of("deal_amount", "trade_price", "ffr", "base_price", "pa");

  /// With this many, each of two threads has more days than its policy keeps encoded, so every turn
  /// encodes them all.
  private static final int DAYS = 160;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "backtest",
          "How many orders per second does a backtest work, and how much does a second thread add?",
          """
          backtest.twap.wall backtest.twap.cpu backtest.ppo.wall backtest.ppo.cpu
          backtest.twap.orders_per_s
          backtest.twap.2threads.scaling backtest.twap.sgemm.scaling backtest.twap.2threads.share
          backtest.ppo.orders_per_s
          backtest.ppo.2threads.scaling backtest.ppo.sgemm.scaling backtest.ppo.2threads.share
          backtest.memory.peak_mb backtest.memory.growth
          """,
          BacktestBenchmark::run);

  private BacktestBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var data =
        new BacktestData(options.work(), options.count(INSTRUMENTS, 3), options.count(DAYS, 4));
    var figures = new ArrayList<>(compare(options, data));
    measure(options, data, "twap", figures);
    measure(options, data, "ppo", figures);
    figures.addAll(BacktestMemory.figures(options, data));
    return figures;
  }

  /// Compares the orders that Qlib can work in some seconds, opening included on all sides.
  private static List<Figure> compare(Options options, BacktestData data) throws IOException {
    var arguments = new ArrayList<Object>();
    for (String strategy : STRATEGIES) {
      Path config = data.folder.resolve(strategy + "-peer.yml");
      Files.writeString(config, data.peerConfig(strategy, theirs(data, strategy)));
      arguments.add(config);
    }
    arguments.addAll(List.of(data.store(), data.fewOrders, data.peerFeatures, data.weights));
    arguments.add(data.folder.resolve("expert.csv"));
    var figures = new ArrayList<Figure>();
    try (PeerTurns python =
        PeerTurns.start(options, "qlib-backtest", "backtest.py", arguments.toArray())) {
      for (String strategy : STRATEGIES) {
        var folders = new ArrayList<Path>(); // each result gets its own
        String how = strategy.equals("twap") ? "TWAP" : "PPO";
        figures.addAll(
            new SideBySide(
                    options,
                    "backtest." + strategy,
                    "backtest of 40 orders by %s, files to result".formatted(how),
                    () -> {
                      folders.add(data.folder.resolve(strategy + "-ours" + folders.size()));
                      return backtest(data, strategy, folders.getLast());
                    })
                .repeating(options.count(20, 1))
                .within(1e-6, 1e-3) // the expert adds up in another order; TWAP's advantage is 0
                .against(Row.Form.USUAL, "Qlib", python, strategy)
                .against(Row.Form.EXPERT, "NumPy and PyTorch at once", python, strategy + "_expert")
                .run(options.count(1, 0), options.count(10, 1)));
        if (python != null) {
          requireSameRows(lines(folders.getLast()), lines(theirs(data, strategy)));
        }
      }
    }
    return figures;
  }

  private static Path theirs(BacktestData data, String strategy) {
    return data.folder.resolve(strategy + "-peer");
  }

  private static List<String> lines(Path folder) throws IOException {
    return Files.readAllLines(folder.resolve("backtest_result.csv"));
  }

  private static Supplier<double[]> backtest(BacktestData data, String strategy, Path folder) {
    try (Backtest backtest = open(data.config(strategy, data.fewOrders), 1, folder)) {
      backtest.run((_, _, _) -> {});
    }
    return () -> {
      try {
        return means(lines(folder));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /// The mean size of some columns.
  private static double[] means(List<String> lines) {
    List<String> names = List.of(lines.getFirst().split(",", -1));
    return COMPARED.stream()
        .mapToDouble(
            name ->
                lines.stream()
                    .skip(1)
                    .mapToDouble(
                        line -> Double.parseDouble(line.split(",", -1)[names.indexOf(name)]))
                    .map(Math::abs)
                    .average()
                    .orElse(0))
        .toArray();
  }

  private static void measure(
      Options options, BacktestData data, String strategy, List<Figure> figures)
      throws IOException {
    var matrix = MatrixProduct.of(options);
    double[] fastest;
    try (Backtest one = open(data, strategy, 1);
        Backtest two = open(data, strategy, 2)) {
      fastest =
          Timing.fastest(
              options.count(30, 1), // the JIT compiler needs this many
              () -> work(one, data),
              () -> work(two, data),
              () -> matrix.compute(1),
              () -> matrix.compute(2));
    }
    options.printf(
        "%s, fastest turns, orders and matrix: %s s%n", strategy, Arrays.toString(fastest));
    double scaling = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    String prefix = "backtest." + strategy;
    figures.add(new Figure(prefix + ".orders_per_s", data.orders() / fastest[0], "orders/s"));
    figures.add(new Figure(prefix + ".2threads.scaling", scaling, "x"));
    figures.add(new Figure(prefix + ".sgemm.scaling", product, "x"));
    figures.add(new Figure(prefix + ".2threads.share", scaling / product, "of sgemm's"));
  }

  private static Backtest open(BacktestData data, String strategy, int threads) throws IOException {
    Path out = Files.createTempDirectory(data.folder, strategy);
    return open(data.config(strategy, data.allOrders), threads, out);
  }

  private static Backtest open(ConfigNode config, int threads, Path out) {
    return Backtest.open(config, BacktestOptions.DEFAULT.withThreads(threads).in(out), _ -> {});
  }

  private static void work(Backtest backtest, BacktestData data) {
    Generated.requireRows(data.orders(), backtest.run((_, _, _) -> {}).summary().filled());
  }

  private static void requireSameRows(List<String> ours, List<String> theirs) {
    Generated.requireRows(theirs.size(), ours.size());
    for (int row = 0; row < ours.size(); row++) {
      String[] our = ours.get(row).split(",", -1);
      String[] their = theirs.get(row).split(",", -1);
      for (int cell = 0; cell < Math.max(our.length, their.length); cell++) {
        if (our.length != their.length || !isSame(our[cell], their[cell])) {
          throw new IllegalStateException(
              "row %d must be %s, was %s".formatted(row, theirs.get(row), ours.get(row)));
        }
      }
    }
  }

  private static boolean isSame(String ours, String theirs) {
    if (ours.equals(theirs)) {
      return true;
    }
    try {
      double expected = Double.parseDouble(theirs);
      return Math.abs(Double.parseDouble(ours) - expected)
          <= TOLERANCE * Math.max(1, Math.abs(expected));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /// The peak memory of a process that runs a backtest, with all orders and with those of a quarter
  /// of the instruments.
  static final class BacktestMemory {

    /// Runs the backtest of a configuration file on one thread.
    public static void main(String[] arguments) throws IOException {
      ConfigNode config = ConfigFiles.load(Path.of(arguments[0]));
      try (Backtest backtest = open(config, 1, Path.of(arguments[1]))) {
        backtest.run((_, _, _) -> {});
      }
      System.out.println(ResidentSet.ownPeakKilobytes());
    }

    static List<Figure> figures(Options options, BacktestData data) throws IOException {
      double all = megabytes(options, data, "all", data.allOrders);
      double quarter = megabytes(options, data, "quarter", data.quarterOfOrders);
      options.printf("memory: all orders %.1f MB, a quarter of them %.1f MB%n", all, quarter);
      return List.of(
          new Figure("backtest.memory.peak_mb", all, "MB"),
          new Figure("backtest.memory.growth", quarter == 0 ? 0 : all / quarter, "x"));
    }

    private static double megabytes(Options options, BacktestData data, String name, Path orders)
        throws IOException {
      Path config = data.folder.resolve(name + ".yml");
      Files.writeString(config, data.config("twap", orders).toYaml());
      Path out = data.folder.resolve(name + "-memory");
      return ResidentSet.peakMegabytes(
          options, BacktestMemory.class, config.toString(), out.toString());
    }
  }
}
