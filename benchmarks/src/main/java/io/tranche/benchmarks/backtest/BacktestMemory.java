package io.tranche.benchmarks.backtest;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeakMemory;
import io.tranche.config.ConfigFiles;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The peak memory of a process that runs a backtest, with all orders and with those of a quarter
/// of the instruments.
final class BacktestMemory {

  private static final String ALL = "backtest.memory.peak_mb";
  private static final String GROWTH = "backtest.memory.growth";
  static final List<String> FIGURES = List.of(ALL, GROWTH);

  private BacktestMemory() {}

  /// Runs the backtest of a configuration file on one thread.
  public static void main(String[] arguments) throws IOException {
    var options = BacktestOptions.DEFAULT.withThreads(1).in(Path.of(arguments[1]));
    try (Backtest backtest =
        Backtest.open(ConfigFiles.load(Path.of(arguments[0])), options, _ -> {})) {
      backtest.run((_, _, _) -> {});
    }
    System.out.println(PeakMemory.kilobytes());
  }

  static List<Figure> figures(Options options, BacktestData data) throws IOException {
    double all = megabytes(options, data, "all", data.allOrders());
    double quarter = megabytes(options, data, "quarter", data.quarterOfOrders());
    options.log().printf("memory: all orders %.1f MB, a quarter of them %.1f MB%n", all, quarter);
    return List.of(
        new Figure(ALL, all, "MB"), new Figure(GROWTH, quarter == 0 ? 0 : all / quarter, "x"));
  }

  private static double megabytes(Options options, BacktestData data, String name, Path orders)
      throws IOException {
    Path config = data.folder().resolve(name + ".yml");
    Files.writeString(config, data.config("twap", orders).toYaml());
    Path out = data.folder().resolve(name + "-memory");
    return PeakMemory.megabytes(options, BacktestMemory.class, config.toString(), out.toString());
  }
}
