package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads 5 million minute rows of six fields from a Qlib `.bin` store: `read` opens the store
/// first, `reread` finds it open, `query` asks the open store for expressions instead of bars. Each
/// time all values are copied from the files again.
///
/// Peers: Qlib's `D.features`, whose memory cache is empty for `read` and has everything for the
/// others; and NumPy, which reads the files of the store and knows neither calendar nor gaps.
public final class BinBenchmark {

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "bin",
          "How fast are 5 million minute rows of 6 fields read from a Qlib store?",
          "bin.read.wall bin.read.cpu bin.reread.wall bin.reread.cpu bin.query.wall bin.query.cpu",
          BinBenchmark::run);

  private BinBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    Path root = options.work().resolve("store");
    BarSource bars = Generated.bars(options.count(87, 2), options.count(240, 3), Frequency.MINUTE);
    Generated.write(bars, QlibStoreWriter.create(root, Existing.REFUSE));
    Object[] arguments =
        Stream.concat(Stream.of(root, Frequency.MINUTE), Generated.FIELDS.stream()).toArray();
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE);
        PeerTurns qlib = PeerTurns.start(options, "qlib", "bin_features.py", arguments)) {
      var figures = new ArrayList<Figure>();
      figures.addAll(
          run(
              new SideBySide(
                      options,
                      "bin.read",
                      "open a Qlib store, read 5.0 M rows of 6 fields",
                      () -> openAndRead(root))
                  .against(Row.Form.USUAL, "Qlib, its cache empty", qlib, "cold")
                  .against(Row.Form.EXPERT, "NumPy on the files", qlib, "numpy"),
              options));
      figures.addAll(
          run(
              new SideBySide(options, "bin.reread", "the same, store open", () -> sums(read(store)))
                  .also("bin.query", "the same as six expressions", () -> query(store))
                  .against(Row.Form.USUAL, "Qlib, all in its cache", qlib, "warm")
                  .against(Row.Form.EXPERT, "NumPy on the files", qlib, "numpy"),
              options));
      return figures;
    }
  }

  private static List<Figure> run(SideBySide comparison, Options options) throws IOException {
    return comparison.run(options.count(3, 0), options.count(10, 1));
  }

  private static Supplier<double[]> openAndRead(Path root) {
    try (QlibStore store = QlibStore.open(root, Frequency.MINUTE)) {
      return sums(read(store));
    }
  }

  /// Keeps every series until the last is read, as the peer's frame does.
  private static List<BarSeries> read(QlibStore store) {
    return store.instruments().stream().map(store::series).toList();
  }

  private static Supplier<double[]> sums(List<BarSeries> all) {
    return () ->
        Generated.FIELDS.stream()
            .mapToDouble(
                field ->
                    all.stream()
                        .mapToDouble(
                            series -> sum(series.size(), series.fieldIndex(field), series::value))
                        .sum())
            .toArray();
  }

  private static Supplier<double[]> query(QlibStore store) {
    Calendar calendar = store.calendar();
    List<FeatureRows> all =
        store.features(
            store.instruments(),
            Generated.FIELDS.stream().map(field -> "$" + field).toList(),
            calendar.time(0),
            calendar.time(calendar.size() - 1));
    return () ->
        IntStream.range(0, Generated.FIELDS.size())
            .mapToDouble(
                column ->
                    all.stream().mapToDouble(rows -> sum(rows.size(), column, rows::value)).sum())
            .toArray();
  }

  /// A value of a column and a row.
  private interface Cells {

    float at(int column, int row);
  }

  private static double sum(int rows, int column, Cells cells) {
    double sum = 0;
    for (int row = 0; row < rows; row++) {
      float value = cells.at(column, row);
      sum += Float.isNaN(value) ? 0 : value;
    }
    return sum;
  }
}
