package io.tranche.cli.backtest;

import io.tranche.analysis.Difference;
import io.tranche.analysis.report.Reports;
import io.tranche.analysis.selection.Selection;
import io.tranche.analysis.selection.TestedCheckpoint;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigFiles;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunFolder;
import io.tranche.work.JobBackend;
import io.tranche.work.backtest.BacktestOptions;
import io.tranche.work.backtest.BacktestPlan;
import io.tranche.work.selection.CheckpointBacktests;
import io.tranche.work.selection.OrderedBacktest;
import io.tranche.work.selection.RunBacktests;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "select",
    description = {
      "Backtest the best checkpoints of a run on its test orders and choose one (docs/backtest.md).",
      "The chosen one is copied to RUN/selected.ckpt; RUN/report.html explains the choice."
    })
public final class SelectCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "RUN", description = "A run directory of tranche train.")
  private Path run = Path.of("");

  @Option(
      names = "--best",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many checkpoints to compare (default: ${DEFAULT-VALUE}).")
  private int best;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Compare the last N instead of the best.")
  private @Nullable Integer last;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      defaultValue = "val/pa",
      description = "The validation metric to choose by (default: ${DEFAULT-VALUE}).")
  private String metric = "val/pa";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A backtest file with the orders, the exchange and the strategies (default: derived"
              + " from the run, if its bars are a store).")
  private @Nullable Path config;

  @Option(
      names = {"--n-jobs", "--n_jobs"},
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private int threads = -1;

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    var directory = new RunFolder(run);
    Path folder = run.resolve("select");
    try (Plugins.Loaded loaded = plugins.load()) {
      List<Scored> checkpoints =
          last == null
              ? RunCheckpoints.best(directory, metric, Arguments.atLeast("--best", 1, best))
              : RunCheckpoints.last(directory, metric, Arguments.atLeast("--last", 1, last));
      List<OrderedBacktest> backtested =
          config == null
              ? RunBacktests.of(directory, (_, _, _) -> {})
              : List.of(
                  new OrderedBacktest(
                      BacktestPlan.from(ConfigFiles.load(config), console::warn), null));
      Selection selection;
      try (JobBackend backend = place.isLocal() ? null : place.open(1, loaded.jars(), err)) {
        var backtests =
            new CheckpointBacktests(
                backtested,
                BacktestOptions.DEFAULT.withThreads(threads).withApart(true),
                folder,
                backend,
                console::warn);
        selection = backtests.run(checkpoints, name -> err.println("backtest of " + name));
      }
      print(out, selection);
      Path target = run.resolve("selected.ckpt");
      copy(checkpoints.get(selection.winner()).file(), target);
      Reports.write(
          selection.report("Checkpoints of " + run.toAbsolutePath().getFileName(), configText()),
          run);
      out.printf("selected %s: %s%n", selection.reason(), target);
      out.printf("report: %s%n", run.resolve(Reports.HTML));
      return ExitCode.OK;
    }
  }

  private String configText() {
    Path file = new RunFolder(run).config();
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage());
    }
  }

  private static void print(PrintWriter out, Selection selection) {
    out.println(
        "checkpoint       advantage  filled  - TWAP      95 % interval      p (Holm)  days  stocks"
            + "    buy   sell");
    for (TestedCheckpoint each : selection.checkpoints()) {
      Difference over = each.overTwap().together();
      out.println(
          Text.of(
              "%-15s %8.2f bps  %.4f  %+6.2f  %+7.2f to %+7.2f  %.3f (%.3f)  %3.0f%%  %5.0f%%"
                  + "  %+5.2f  %+5.2f",
              each.name(),
              each.results().meanBps(null),
              each.results().completion(null),
              over.meanBps(),
              over.low(),
              over.high(),
              each.pValue(),
              each.adjustedPValue(),
              100 * each.positiveDays(),
              100 * each.positiveInstruments(),
              mean(each.overTwap().sides().get(Side.BUY)),
              mean(each.overTwap().sides().get(Side.SELL))));
    }
    out.println(
        Text.of("all together    %8.2f ± %.2f bps", selection.meanBps(), selection.deviationBps()));
  }

  private static double mean(@Nullable Difference difference) {
    return difference == null ? Double.NaN : difference.meanBps();
  }

  private static void copy(Path from, Path target) {
    try {
      PendingFile.write(
          target, path -> Files.copy(from, path, StandardCopyOption.REPLACE_EXISTING));
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }
}
