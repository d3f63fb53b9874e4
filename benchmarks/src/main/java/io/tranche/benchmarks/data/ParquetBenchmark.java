package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Loads 1,500 instruments of nine days from one Parquet file into day frames. Peer: pandas with
/// pyarrow, which stops at a data frame.
public final class ParquetBenchmark {

  /// Real bars, if they lie beside the project; otherwise as many generated bars.
  private static final String REAL = "../shared/data/cn_ashare_1min_202403.parquet";

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "parquet",
          "How fast is a Parquet file of 1,500 instruments loaded, and how much memory is retained?",
          "parquet.load.rows_per_s parquet.load.wall parquet.load.cpu parquet.heap.ratio",
          ParquetBenchmark::run);

  private ParquetBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    Path file = options.home().resolve(REAL).normalize();
    if (options.quick() || !Files.exists(file)) {
      file = options.work().resolve("bars.parquet");
      BarSource bars =
          Generated.bars(options.count(1500, 3), options.count(9, 2), Frequency.MINUTE);
      Generated.write(bars, BarFiles.create(file));
      options.log().println("parquet: on generated bars");
    }
    Path path = file;
    Timing load = Timing.of(options.count(5, 1), options.count(9, 1), () -> load(path));

    long before = ResidentSet.heapBytes();
    List<BarSeries> all = load(path);
    long retained = ResidentSet.heapBytes() - before;
    long rows =
        all.stream()
            .mapToLong(
                series ->
                    IntStream.range(0, series.size()).filter(row -> !series.isMissing(row)).count())
            .sum();
    long floats = rows * all.getFirst().fields().size() * Float.BYTES;
    var figures = new ArrayList<>(load.figures("parquet.load", rows));
    figures.add(new Figure("parquet.heap.ratio", (double) retained / floats, "x"));
    Peer peer = Peer.prepare(options, "parquet");
    if (peer != null) {
      for (Peer.Run theirs :
          peer.answer("parquet_read.py", path, options.count(9, 1)).runs().values()) {
        figures.addAll(theirs.compare(options, "parquet.load", load, rows));
      }
    }
    return figures;
  }

  private static List<BarSeries> load(Path file) {
    var all = new ArrayList<BarSeries>();
    try (BarSource source = BarFiles.open(file, ColumnMapping.DEFAULT)) {
      for (String instrument : source.instruments()) {
        all.add(source.series(instrument));
      }
    }
    return all;
  }
}
