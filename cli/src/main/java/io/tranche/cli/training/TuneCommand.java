package io.tranche.cli.training;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.work.JobBackend;
import io.tranche.work.tuning.Failure;
import io.tranche.work.tuning.Leaderboard;
import io.tranche.work.tuning.Leaderboard.Row;
import io.tranche.work.tuning.Trial;
import io.tranche.work.tuning.TuneOutcome;
import io.tranche.work.tuning.Tuning;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "tune",
    description = {
      "Search for better settings of a training configuration (docs/tuning.md).",
      "CONFIG is a tuning file: it contains 'tune: 1' and names the training file it varies.",
      "A search that was killed continues where it stopped. Ctrl-C saves and stops; a second one kills."
    })
public final class TuneCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "CONFIG", description = "A .yml or .json file.")
  private Path config = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the search (default: runs/NAME of CONFIG).")
  private @Nullable Path out;

  @Option(
      names = "--overwrite",
      description = "Start over in a directory that holds a search; its trials are deleted.")
  private boolean overwrite;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Number of trials trained at a time on this machine; does not change the result (default: the number of"
              + " cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--skip-bad",
      description = "Leave out orders that cannot be executed, and go on with the others.")
  private boolean skipsBad;

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    int width =
        threads == null
            ? Runtime.getRuntime().availableProcessors()
            : Arguments.atLeast("--threads", 1, threads);
    try (Plugins.Loaded loaded = plugins.load();
        Tuning tuning = Tuning.open(config, folder(), overwrite, console::warn);
        JobBackend backend = place.open(width, loaded.jars(), console.err())) {
      return run(tuning, backend);
    }
  }

  private Path folder() {
    return out == null
        ? Path.of("runs", config.getFileName().toString().replaceFirst("\\.[^.]*$", ""))
        : out;
  }

  private int run(Tuning tuning, JobBackend backend) {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    try (var signal = new StopSignal(tuning::requestStop);
        var display = new TuneDisplay(console)) {
      TuneOutcome outcome = tuning.run(backend, skipsBad, display);
      display.clear();
      if (!outcome.isComplete()) {
        out.println("interrupted; run the same command to continue");
        return ExitCode.INTERRUPTED;
      }
      Failure failure = outcome.leaderboard().failureOfAll();
      if (failure != null) {
        err.println("all trials failed, the first because of " + failure.reason());
        return status(failure);
      }
      print(outcome, out);
      if (signal.hasArrived()) {
        return ExitCode.INTERRUPTED;
      }
      return outcome.skipped().isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    }
  }

  private static int status(Failure failure) {
    return switch (failure.kind()) {
      case CONFIG -> ExitCode.CONFIG;
      case DATA -> ExitCode.DATA;
      case DIVERGED -> ExitCode.DIVERGED;
    };
  }

  private static void print(TuneOutcome outcome, PrintWriter out) {
    Leaderboard board = outcome.leaderboard();
    Row best = board.best();
    if (best == null) {
      return;
    }
    out.println(Text.of("best of %d: %s", board.rows().size(), line(board, best)));
    Row base = board.base();
    if (base != null && base.failure() == null) {
      out.println(
          best.trial() == Trial.BASE
              ? "nothing was better than the unchanged configuration"
              : Text.of(
                  "the unchanged configuration: %s %.4f, a difference of %+.4f",
                  board.metric(), base.value(), best.value() - base.value()));
    }
    Path run = outcome.trial(best.trial());
    out.printf("all trials: %s%n", outcome.folder().resolve("leaderboard.csv"));
    out.printf("report: %s%n", outcome.folder().resolve("report.html"));
    out.printf("configuration of the best trial: %s%n", run.resolve("config.yml"));
    boolean guards =
        ExecutionRun.readTrained(ConfigFiles.load(run.resolve("config.yml")), _ -> {}).guards();
    if (guards) {
      out.printf("trials are TWAP until a guard is fitted: tranche select %s%n", run);
    }
    out.printf("its model: tranche export %s%n", run);
  }

  private static String line(Leaderboard board, Row row) {
    var text = new StringBuilder();
    text.append(
        Text.of(
            "trial %d, %s %.4f after %d iterations",
            row.trial(), board.metric(), row.value(), row.iterations()));
    for (int i = 0; i < board.paths().size(); i++) {
      text.append(i == 0 ? ": " : ", ")
          .append(board.paths().get(i))
          .append('=')
          .append(row.values().get(i));
    }
    return text.toString();
  }
}
