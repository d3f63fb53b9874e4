package io.tranche.cli.backtest;

import io.tranche.analysis.Verdict;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.judge.RunReport;
import io.tranche.analysis.report.Reports;
import io.tranche.analysis.report.TrainingPoint;
import io.tranche.analysis.selection.Selection;
import io.tranche.analysis.selection.TestedCheckpoint;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Text;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.JsonOption;
import io.tranche.cli.option.JudgedOptions;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.DeviationGuard;
import io.tranche.files.FolderLock;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunFolder;
import io.tranche.run.play.Difference;
import io.tranche.run.play.GuardFile;
import io.tranche.work.JobBackend;
import io.tranche.work.backtest.BacktestOptions;
import io.tranche.work.backtest.BacktestPlan;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.selection.CheckpointBacktests;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "select",
    description = {
      "Execute the test orders of a run with its best checkpoints and choose one (docs/judging.md).",
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
      description = "The validation metric to choose by (default: validation.monitor of the run).")
  private @Nullable String metric;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A backtest file of Qlib with the orders, the exchange and the strategies; needed for a run"
              + " in Qlib's dialect.")
  private @Nullable Path config;

  @Option(
      names = {"--threads", "--n-jobs", "--n_jobs"},
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private int threads = -1;

  @Mixin private JudgedOptions judged = new JudgedOptions();

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    var directory = new RunFolder(run);
    if (!Files.isRegularFile(directory.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train", run);
    }
    if (judged.weights() != null) {
      throw new ConfigException(
          "--weights", "--best or --last, which select compares", "--weights");
    }
    try (Plugins.Loaded loaded = plugins.load();
        FolderLock _ = directory.lock()) {
      String by = metric == null ? RunCheckpoints.monitor(directory) : metric;
      List<Scored> checkpoints =
          last == null
              ? RunCheckpoints.best(directory, by, Arguments.atLeast("--best", 1, best))
              : RunCheckpoints.last(directory, by, Arguments.atLeast("--last", 1, last));
      try (JobBackend backend =
          place.isLocal() ? null : place.open(1, loaded.jars(), console.err())) {
        return config == null
            ? played(directory, checkpoints, backend)
            : backtested(config, checkpoints, backend);
      }
    }
  }

  /// Compares checkpoints in the run's own simulator.
  private int played(RunFolder directory, List<Scored> checkpoints, @Nullable JobBackend backend) {
    ExecutionRun trained =
        ExecutionRun.readTrained(ConfigFiles.load(directory.config()), console::warn);
    if (trained.isQlib()) {
      throw new ConfigException(
          "--config", "a backtest file, because the run is in Qlib's dialect", "none");
    }
    try (TrainedRun<?> opened =
            TrainedRun.open(
                directory, judged.input(), folder(), threads(), (_, _, _) -> {}, console::warn);
        var progress = console.progress("select")) {
      opened.skipped().forEach(fault -> console.err().println("skipped: " + fault));
      Selection selection = opened.select(checkpoints, backend, measured(checkpoints, progress));
      Path chosen = choose(checkpoints, selection);
      DeviationGuard guard = opened.fitGuard(selection, chosen, backend);
      if (guard != null) {
        new GuardFile(chosen.getFileName().toString(), List.of(), guard).write(directory.guard());
        tell(guard);
      }
      Judgement judgement = opened.judgement();
      RunReport.of(directory, title(), judgement, opened.run().costs(), Version.text())
          .withNote(
              "Chosen: %s.%s"
                  .formatted(selection.reason(), guard == null ? "" : " Guard: " + guard + "."))
          .withCheckpoints(selection.scores())
          .withWarnings(opened.skipped().stream().map(fault -> "skipped: " + fault).toList())
          .write(run);
      finish(selection, judgement.assessment().verdict());
      return opened.skipped().isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    }
  }

  /// Compares checkpoints on Qlib's exchange.
  private int backtested(Path file, List<Scored> checkpoints, @Nullable JobBackend backend) {
    if (judged.isGiven()) {
      throw new ConfigException("--config", "no --orders, --bars or --costs beside it", "both");
    }
    var backtests =
        new CheckpointBacktests(
            BacktestPlan.from(ConfigFiles.load(file), console::warn),
            BacktestOptions.DEFAULT
                .withThreads(threads)
                .withApart(true)
                .skippingBad(judged.skipsBad()),
            folder(),
            backend,
            console::warn);
    Selection selection;
    try (var progress = console.progress("select")) {
      selection = backtests.run(checkpoints, measured(checkpoints, progress));
    }
    choose(checkpoints, selection);
    var directory = new RunFolder(run);
    Reports.write(
        selection.report(
            title(), TrainingPoint.read(directory.metrics()), configText(), Version.text()),
        run);
    finish(selection, selection.verdict());
    return ExitCode.OK;
  }

  private Path folder() {
    return run.resolve("select");
  }

  private int threads() {
    return threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
  }

  private void tell(DeviationGuard guard) {
    if (!json.isWanted()) {
      console.out().println("guard: " + guard);
    }
  }

  /// Tells what is executed next, and, when the first checkpoint is done, how long all may take.
  private Consumer<String> measured(List<Scored> checkpoints, Progress progress) {
    var begun = new AtomicInteger();
    return name -> {
      progress.measure(begun.getAndIncrement() - 1L, checkpoints.size()); // the first is TWAP
      console.note("orders with " + name);
    };
  }

  private String title() {
    return "Checkpoints of " + run.toAbsolutePath().normalize().getFileName();
  }

  private Path choose(List<Scored> checkpoints, Selection selection) {
    Path target = new RunFolder(run).selected();
    copy(checkpoints.get(selection.winner()).file(), target);
    return target;
  }

  /// @param verdict on the test orders
  private void finish(Selection selection, Verdict verdict) {
    PrintWriter out = console.out();
    if (json.isWanted()) {
      Map<String, Object> result = JudgementJson.of(selection);
      result.put("report", run.resolve(Reports.HTML).toString());
      JsonOption.print(result, console);
      return;
    }
    print(out, selection);
    out.printf("selected %s: %s%n", selection.reason(), new RunFolder(run).selected());
    out.println("test orders: " + verdict.sentence());
    out.printf("report: %s%n", run.resolve(Reports.HTML));
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
        "checkpoint       advantage  info ratio  filled  - TWAP      95 % interval      p (Holm)  days  stocks"
            + "    buy   sell  verdict");
    for (TestedCheckpoint each : selection.checkpoints()) {
      Difference over = each.overTwap().together();
      out.println(
          Text.of(
              "%-15s %8.2f bps  %10.3f  %.4f  %+6.2f  %+7.2f to %+7.2f  %.3f (%.3f)  %3.0f%%  %5.0f%%"
                  + "  %+5.2f  %+5.2f  %s",
              each.name(),
              each.results().meanBps(null),
              each.informationRatio(),
              each.results().completion(null),
              over.meanBps(),
              over.low(),
              over.high(),
              each.pValue(),
              each.adjustedPValue(),
              100 * each.positiveDays(),
              100 * each.positiveInstruments(),
              mean(each.overTwap().sides().get(Side.BUY)),
              mean(each.overTwap().sides().get(Side.SELL)),
              Verdict.of(each.overTwap()).kind().words()));
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
