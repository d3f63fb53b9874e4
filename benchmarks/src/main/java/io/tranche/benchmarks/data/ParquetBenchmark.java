package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.cli.console.Text;
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
import java.util.function.Supplier;

/// Loads 1,500 instruments of nine days from one Parquet file into day frames. Peers: pandas, which
/// stops at a data frame, and pyarrow, which goes on to arrays of each stock.
public final class ParquetBenchmark {

  /// Real bars, if they lie beside the project; otherwise as many generated bars.
  private static final String REAL = "../shared/data/cn_ashare_1min_202403.parquet";

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "parquet",
          "How fast is a Parquet file of 1,500 instruments loaded, and how much memory is retained?",
          "parquet.load.wall parquet.load.cpu parquet.heap.ratio",
          ParquetBenchmark::run);

  private static final List<String> FIELDS = List.of("open", "high", "low", "close", "volume");

  private ParquetBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    Path file = options.home().resolve(REAL).normalize();
    if (options.quick() || !Files.exists(file)) {
      file = options.work().resolve("bars.parquet");
      BarSource bars =
          Generated.bars(options.count(1500, 60), options.count(9, 2), Frequency.MINUTE);
      Generated.write(bars, BarFiles.create(file));
      options.log().println("parquet: on generated bars");
    }
    Path path = file;
    String work = work(load(path));
    var figures = new ArrayList<Figure>();
    try (PeerTurns python = PeerTurns.start(options, "parquet", "parquet_read.py", path)) {
      figures.addAll(
          new SideBySide(options, "parquet.load", work, () -> sums(load(path)))
              .onThreads(2)
              .within(1e-6) // pandas keeps prices as doubles
              .against(Row.Form.USUAL, "pandas, to a frame", python, "pandas")
              .against(Row.Form.EXPERT, "pyarrow, to arrays", python, "pyarrow")
              .run(options.count(5, 0), options.count(15, 1)));
    }

    long before = ResidentSet.heapBytes();
    List<BarSeries> all = load(path);
    long retained = ResidentSet.heapBytes() - before;
    double floats = sums(all).get()[0] * all.getFirst().fields().size() * Float.BYTES;
    figures.add(new Figure("parquet.heap.ratio", retained / floats, "x"));
    return figures;
  }

  /// Says what is loaded.
  private static String work(List<BarSeries> all) {
    return Text.of(
        "%.2f M rows of a Parquet file to the days of %,d stocks",
        sums(all).get()[0] / 1e6, all.size());
  }

  /// The number of rows and the sum of each field.
  private static Supplier<double[]> sums(List<BarSeries> all) {
    return () -> {
      double[] sums = new double[1 + FIELDS.size()];
      for (BarSeries series : all) {
        for (int row = 0; row < series.size(); row++) {
          if (!series.isMissing(row)) {
            sums[0]++;
            for (int i = 0; i < FIELDS.size(); i++) {
              float value = series.value(series.fieldIndex(FIELDS.get(i)), row);
              sums[i + 1] += Float.isNaN(value) ? 0 : value;
            }
          }
        }
      }
      return sums;
    };
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
