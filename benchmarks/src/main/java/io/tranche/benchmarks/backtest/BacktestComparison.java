package io.tranche.benchmarks.backtest;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The peer of [BacktestBenchmark], and whether it produces the same rows. Without peers it reports
/// nothing.
final class BacktestComparison {

  private static final double TOLERANCE = 1e-9;

  private final Options options;
  private final BacktestData data;
  private final @Nullable Peer peer;

  BacktestComparison(Options options, BacktestData data) throws IOException {
    this.options = options;
    this.data = data;
    this.peer = Peer.prepare(options, "qlib-backtest");
  }

  /// Returns the peer's time for its few orders, and its ratio to ours.
  ///
  /// @param ours the time for all orders
  List<Figure> figures(String strategy, Timing ours) throws IOException {
    if (peer == null) {
      return List.of();
    }
    Path theirFolder = data.folder().resolve(strategy + "-peer");
    Path config = data.folder().resolve(strategy + "-peer.yml");
    Files.writeString(config, data.peerConfig(strategy, theirFolder));
    Peer.Run theirs =
        peer.answer("backtest.py", strategy, config, options.count(3, 1)).run(strategy);
    Path ourFolder = data.folder().resolve(strategy + "-ours");
    try (Backtest backtest =
        Backtest.open(
            data.config(strategy, data.fewOrders()),
            BacktestOptions.DEFAULT.withThreads(1).in(ourFolder),
            _ -> {})) {
      backtest.run((_, _, _) -> {});
    }
    requireSameRows(
        Files.readAllLines(ourFolder.resolve("backtest_result.csv")),
        Files.readAllLines(theirFolder.resolve("backtest_result.csv")));
    String prefix = "backtest." + strategy;
    var figures = new ArrayList<>(theirs.figures(prefix));
    Timing asMany = ours.times((double) data.peerOrders() / data.orders());
    figures.addAll(theirs.ratios(options, prefix, asMany, data.peerOrders()));
    return figures;
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
}
