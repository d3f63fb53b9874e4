package io.tranche.cli.backtest;

import io.tranche.backtest.run.ResultSummary;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.ConfigArgument;
import io.tranche.cli.option.JudgedOptions;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.FolderLock;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.work.JobBackend;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import io.tranche.work.backtest.BacktestOutcome;
import io.tranche.work.judge.TrainedRun;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "backtest",
    description = {
      "Execute the orders of a trained run in its simulator, or those of a backtest file on an exchange with its"
          + " rules (docs/backtest.md).",
      "RUN: results go to DIR/result.csv. A native training file stands for the run that it trains.",
      "CONFIG is Qlib's backtest file, unchanged: results go to DIR/backtest_result.csv, orders that failed to"
          + " DIR/failed_orders.csv.",
      "A run that was killed continues where it stopped."
    })
public final class BacktestCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RUN|CONFIG",
      description = "A run directory of tranche train, or a .yml or .json file.")
  private @Nullable Path argument;

  @Mixin private ConfigArgument option = new ConfigArgument();

  private Path config = Path.of("");

  @Option(
      names = {"--use-simulator", "--use_simulator"},
      description = "Run each order alone, in the realistic simulator.")
  private boolean apart;

  @Option(
      names = {"--threads", "--n-jobs", "--n_jobs"},
      paramLabel = "N",
      description =
          "Number of threads; does not change the result (default: concurrency of CONFIG; -1 is all"
              + " cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results (default: RUN, or output_dir of CONFIG).")
  private @Nullable Path out;

  @Mixin private JudgedOptions judged = new JudgedOptions();

  @Option(
      names = "--logs",
      description =
          "Write every child order to orders.csv, every fill to fills.csv, and every step of every"
              + " level to history.csv.")
  private boolean logs;

  @Option(
      names = {"--overwrite", "--restart"},
      description =
          "Start over instead of continuing an interrupted run; use it after the bars have changed.")
  private boolean restarts;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Replaces a value of the file, such as exchange.trade_unit=1; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    config = option.or(argument);
    if (Files.isDirectory(config)) {
      return played();
    }
    ConfigNode node = ConfigFiles.load(config);
    if (ExecutionRun.isNative(node)) {
      config = RunFolder.of(ExecutionRun.read(node, console::warn), config).folder();
      if (!Files.isDirectory(config)) {
        throw new ConfigException(
            "CONFIG", "a file whose run is trained (tranche train)", "no folder " + config);
      }
      return played();
    }
    if (judged.isGiven()) {
      throw new ConfigException(
          "--orders, --bars, --costs or --weights", "a run directory", config);
    }
    PrintWriter err = console.err();
    for (String assignment : assignments) {
      node = node.with(assignment);
    }
    var options = new BacktestOptions(apart, threads, judged.skipsBad(), logs, out, restarts);
    place.announceFileSystems();
    try (Plugins.Loaded loaded = plugins.load();
        Backtest backtest = Backtest.open(node, options, console::warn)) {
      if (place.isLocal()) {
        return run(backtest, backtest::run, err);
      }
      try (JobBackend backend = place.open(1, loaded.jars(), err)) {
        return run(backtest, listener -> backtest.run(backend, listener), err);
      }
    }
  }

  private int played() {
    var folder = new RunFolder(config);
    if (!Files.isRegularFile(folder.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train", config);
    }
    if (apart || logs || restarts || !assignments.isEmpty()) {
      throw new ConfigException(
          "--use-simulator, --logs, --restart and --set", "a backtest file", config);
    }
    if (ExecutionRun.readTrained(ConfigFiles.load(folder.config()), _ -> {}).isQlib()) {
      throw new ConfigException(
          "RUN", "a run in our own dialect, or a backtest file of Qlib", "one in Qlib's dialect");
    }
    Path target = out == null ? config : out;
    int cores = Runtime.getRuntime().availableProcessors();
    int width = threads == null || threads < 0 ? cores : Arguments.atLeast("--threads", 1, threads);
    try (Plugins.Loaded loaded = plugins.load();
        FolderLock _ = new RunFolder(target).lock();
        JobBackend backend = place.isLocal() ? null : place.open(1, loaded.jars(), console.err());
        TrainedRun<?> run =
            TrainedRun.open(
                folder, judged.input(), target, width, (_, _, _) -> {}, console::warn)) {
      RunCheckpoints.Chosen weights = RunCheckpoints.chosen(folder, judged.weights());
      console.out().println("weights: " + weights);
      run.load(weights);
      Estimate.tell("backtest", run, console);
      return ResultPrinter.play(run, target, backend, console.out()::println);
    }
  }

  private int run(
      Backtest backtest, Function<Backtest.Listener, BacktestOutcome> work, PrintWriter err) {
    try (var signal = new StopSignal(backtest::requestStop);
        var progress = console.progress("backtest")) {
      BacktestOutcome outcome = work.apply(progress::update);
      progress.clear();
      if (!outcome.isComplete()) {
        console.out().println("interrupted; run the same command to continue");
        return ExitCode.INTERRUPTED;
      }
      console.out().println(summary(outcome));
      if (outcome.failed() > 0) {
        err.printf(
            "%d orders failed: %s%n",
            outcome.failed(), outcome.result().resolveSibling("failed_orders.csv"));
      }
      if (signal.hasArrived()) {
        return ExitCode.INTERRUPTED;
      }
      return outcome.failed() > 0 ? ExitCode.FAILED_ORDERS : ExitCode.OK;
    }
  }

  private static String summary(BacktestOutcome outcome) {
    ResultSummary summary = outcome.summary();
    return Text.of(
        "%d orders of %d instruments: advantage %.2f bps (information ratio %.3f, positive %.1f %%,"
            + " gain-loss %.2f), filled %.4f, value %.0f, cost %.0f: %s",
        summary.orders(),
        outcome.instruments(),
        summary.advantageBps(),
        summary.informationRatio(),
        100 * summary.positiveRate(),
        summary.gainLossRatio(),
        summary.fillRate(),
        summary.value(),
        summary.cost(),
        outcome.result());
  }
}
