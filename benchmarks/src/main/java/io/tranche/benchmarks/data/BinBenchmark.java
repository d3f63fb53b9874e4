package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.store.FeatureRows;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Reads 5 million minute rows of six fields from a Qlib `.bin` store: `read` opens the store
/// first, `reread` finds it open, `query` asks the open store for expressions instead of bars. Each
/// time all values are copied from the files again.
///
/// Peer: Qlib's `D.features`. `read` is compared with its first call; the other two with a later
/// call, for which Qlib has calendar and results in memory and opens no file at all.
public final class BinBenchmark {

  private static final int BARS_A_DAY = 240;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "bin",
          "How fast are 5 million minute rows of 6 fields read from a Qlib store?",
          """
          bin.read.rows_per_s bin.read.wall bin.read.cpu
          bin.reread.rows_per_s bin.reread.wall bin.reread.cpu
          bin.query.rows_per_s bin.query.wall bin.query.cpu
          """,
          BinBenchmark::run);

  private BinBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    int instruments = options.count(87, 2);
    int days = options.count(240, 3);
    long rows = (long) instruments * days * BARS_A_DAY;
    Path root = options.work().resolve("store");
    BarSource bars = Generated.bars(instruments, days, Frequency.MINUTE);
    Generated.write(bars, QlibStoreWriter.create(root, Existing.REFUSE));
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE)) {
      Timing read = time(options, rows, () -> openAndRead(root));
      Timing reread = time(options, rows, () -> read(store));
      Timing query = time(options, rows, () -> query(store));

      var figures = new ArrayList<>(read.figures("bin.read", rows));
      figures.addAll(reread.figures("bin.reread", rows));
      figures.addAll(query.figures("bin.query", rows));
      Peer peer = Peer.prepare(options, "qlib");
      if (peer != null) {
        var arguments = new ArrayList<>(List.of(root, Frequency.MINUTE, options.count(3, 1)));
        arguments.addAll(Generated.FIELDS);
        for (var run : peer.answer("bin_features.py", arguments.toArray()).runs().entrySet()) {
          Peer.Run theirs = run.getValue();
          figures.addAll(theirs.figures("bin." + run.getKey()));
          if (run.getKey().equals("cold")) {
            figures.addAll(theirs.ratios(options, "bin.read", read, rows));
          } else {
            figures.addAll(theirs.ratios(options, "bin.reread", reread, rows));
            figures.addAll(theirs.ratios(options, "bin.query", query, rows));
          }
        }
      }
      return figures;
    }
  }

  private static Timing time(Options options, long rows, LongSupplier work) throws IOException {
    return Timing.of(
        options.count(10, 1),
        options.count(15, 1),
        () -> Generated.requireRows(rows, work.getAsLong()));
  }

  private static long openAndRead(Path root) {
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE)) {
      return read(store);
    }
  }

  /// Keeps every series until the last is read, as the peer's frame does.
  private static long read(QlibStore store) {
    List<BarSeries> all = store.instruments().stream().map(store::series).toList();
    return all.stream().mapToLong(BarSeries::size).sum();
  }

  private static long query(QlibStore store) {
    Calendar calendar = store.calendar();
    List<FeatureRows> all =
        store.features(
            store.instruments(),
            Generated.FIELDS.stream().map(field -> "$" + field).toList(),
            calendar.time(0),
            calendar.time(calendar.size() - 1));
    return all.stream().mapToLong(FeatureRows::size).sum();
  }
}
