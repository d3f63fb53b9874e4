package io.tranche.cli.start;

import io.tranche.analysis.Power;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.judge.RunReport;
import io.tranche.analysis.judge.ValidationVerdicts;
import io.tranche.analysis.report.Reports;
import io.tranche.backtest.Costs;
import io.tranche.cli.backtest.JudgementTable;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.training.TrainingDisplay;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.runtime.ModelBundle;
import io.tranche.work.judge.Deployment;
import io.tranche.work.judge.Seeds;
import io.tranche.work.judge.TrainedRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "start",
    description = {
      "From bars of your own to a judged agent in one command.",
      "Looks at the bars (CSV, Parquet, pickle or a Qlib store), finds columns, session and bar width, asks what it cannot",
      "know, writes a commented configuration, trains briefly, and reports whether the agent beats TWAP."
    })
public final class StartCommand implements Callable<Integer> {

  private static final String CONFIG = "train.yml";

  @Parameters(paramLabel = "BARS", description = "A file, a folder of files, or a store.")
  private Path bars = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "A new or empty folder (default: start-NAME of the bars).")
  private @Nullable Path out;

  @Option(
      names = {"-y", "--yes"},
      description = "Ask nothing: take every guess, and stop where there is none.")
  private boolean takesGuesses;

  @Option(
      names = "--costs",
      paramLabel = "PRESET",
      description = "What trading costs, a preset of docs/configuration.md.")
  private @Nullable String costs;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "20",
      description = "Iterations of training (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Seeds to train, whose scores are averaged; the result shows how much they differ"
              + " (default: ${DEFAULT-VALUE}).")
  private int seeds = 3;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private @Nullable Integer threads;

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Arguments.atLeast("--iterations", 1, iterations);
    Arguments.between("--seeds", 1, ModelBundle.MAX_MEMBERS, seeds);
    if (threads != null) {
      Arguments.atLeast("--threads", 1, threads);
    }
    Path folder = out == null ? Path.of("start-" + name()) : out;
    requireFree("--out", folder);
    PrintWriter print = console.out();
    var questions = new Questions(takesGuesses ? null : standardInput(), print);
    BarsFound found = BarsFound.in(bars, input.mapping(), questions);
    print.println(found);
    found.notes().forEach(print::println);
    String preset = costs(found, questions);
    print.printf("costs: %s%n", preset);
    Path config = folder.resolve(CONFIG);
    write(folder, StartConfig.text(found, preset, iterations));
    print.printf("wrote %s%n", config);
    print.flush();
    return train(config, new RunFolder(folder));
  }

  private static BufferedReader standardInput() {
    return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
  }

  private String name() {
    return ColumnMapping.nameOf(bars.toAbsolutePath().normalize());
  }

  /// @throws ConfigException if the folder has files
  static void requireFree(String option, Path folder) {
    String[] entries = folder.toFile().list();
    if (Files.exists(folder) && (entries == null || entries.length > 0)) {
      throw new ConfigException(option, "a new or empty folder", folder);
    }
  }

  private String costs(BarsFound found, Questions questions) {
    if (costs != null) {
      return Arguments.oneOf("--costs", Costs.presets(), costs);
    }
    String usual = found.usualCosts();
    return usual == null
        ? questions.ask("--costs", "Which costs are nearest to yours?", Costs.presets(), "none")
        : usual;
  }

  private static void write(Path folder, String text) {
    try (StagedFolder staged = StagedFolder.create(folder)) {
      Files.writeString(staged.folder().resolve(CONFIG), text);
      staged.commit();
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  private int train(Path config, RunFolder folder) {
    PrintWriter print = console.out();
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), console::warn);
    var options = TrainingOptions.in(folder.folder()).withThreads(threads);
    try (var display = new TrainingDisplay(console);
        TrainingRun<?> training =
            TrainingRun.open(run, options, display::making, display, Clock.systemUTC())) {
      Power.tell(training, display::message);
      if (!train(training)) {
        return ExitCode.INTERRUPTED;
      }
      Deployment.choose(training, folder);
      if (seeds > 1) {
        Seeds.Training each = (other, _) -> train(other);
        if (!Seeds.trainOthers(training, options, seeds, false, each, display, Clock.systemUTC())) {
          return ExitCode.INTERRUPTED;
        }
        Seeds.choose(training, folder, seeds);
      }
      RunCheckpoints.Chosen weights = RunCheckpoints.chosen(folder, null);
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(weights);
      display.message("weights: " + weights);
      Judgement judgement = trained.judgement();
      RunReport.of(folder, "Start with " + name(), judgement, run.costs(), Version.text())
          .withNote("Weights: %s. %s".formatted(weights, trained.spread()).strip())
          .write(folder.folder());
      display.result("");
      int orders = judgement.yardsticks().twap().orders().size();
      JudgementTable.print("On the test days, %d orders".formatted(orders), judgement, print);
      if (seeds > 1) {
        print.println(trained.spread());
      }
    }
    next(config, folder.folder());
    return ExitCode.OK;
  }

  private static boolean train(TrainingRun<?> training) {
    try (var signal = new StopSignal(training::requestStop)) {
      training.train(null, new ValidationVerdicts<>(training));
      return !signal.hasArrived();
    }
  }

  private void next(Path config, Path folder) {
    Path more = folder.resolveSibling(folder.getFileName() + "-80");
    console
        .out()
        .printf(
            """

            What next:
              look at the report:    %s
              change the settings:   %s (docs/configuration.md)
              train longer:          tranche train %s --out %s --set trainer.max_iterations=80
              judge that:            tranche judge %s
              make a model of it:    tranche export %s --out model.tranche
            """,
            folder.resolve(Reports.HTML),
            config,
            quoted(config),
            quoted(more),
            quoted(more),
            quoted(folder));
  }

  /// Returns a path in quotes if a shell would need them.
  static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[\\w./+=:@-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
