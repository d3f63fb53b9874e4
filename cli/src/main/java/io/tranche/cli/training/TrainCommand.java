package io.tranche.cli.training;

import io.tranche.analysis.Power;
import io.tranche.analysis.judge.ValidationVerdicts;
import io.tranche.cli.backtest.ResultPrinter;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.ConfigArgument;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.cli.option.WeightsOption;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.runtime.ModelBundle;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.checkpoint.CheckpointFolder;
import io.tranche.trainer.checkpoint.Stop;
import io.tranche.work.ConfigPaths;
import io.tranche.work.JobBackend;
import io.tranche.work.judge.Deployment;
import io.tranche.work.judge.Seeds;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.rollout.RemoteRollouts;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "train",
    description = {
      "Train an agent (docs/training.md).",
      "CONFIG is Qlib's training file as it is, or one of our own, which says 'tranche: 1'"
          + " (docs/configuration.md).",
      "Ctrl-C finishes the current iteration, saves a checkpoint and stops; a second one kills."
    })
public final class TrainCommand implements Callable<Integer> {

  private static final String ONLY_WEIGHTS =
      "only Qlib's .pth: start from its weights with --set policy.kwargs.weight_file=FILE";

  @Parameters(index = "0", arity = "0..1", paramLabel = "CONFIG", description = "A YAML file.")
  private @Nullable Path argument;

  @Mixin private ConfigArgument option = new ConfigArgument();

  private Path config = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Replaces a value of the file, such as trainer.max_epoch=3 or policy.kwargs.lr=1e-3;"
              + " may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The run directory (default: trainer.checkpoint_path of CONFIG, else runs/NAME).")
  private @Nullable Path out;

  @Option(
      names = "--resume",
      paramLabel = "CHECKPOINT",
      arity = "0..1",
      fallbackValue = "",
      description = "Continue from a checkpoint (default: the newest of the run directory).")
  private @Nullable String resume;

  @Option(
      names = "--overwrite",
      description = "Start over in a directory that holds a run; its checkpoints are deleted.")
  private boolean overwrite;

  @Option(names = "--seed", paramLabel = "N", description = "The same as --set runtime.seed=N.")
  private @Nullable Long seed;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Train N seeds, from the seed of CONFIG on. Their scores are averaged wherever the run is"
              + " used (default: 1).")
  private int seeds = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: the number of cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--fast-dev-run",
      paramLabel = "N",
      description = "Try the run with N orders per stage.")
  private @Nullable Integer fastDevRun;

  @Option(
      names = {"--no-training", "--no_training"},
      description = "Do not train; use it with --run-backtest.")
  private boolean skipsTraining;

  @Option(
      names = {"--run-backtest", "--run_backtest"},
      description = "Then execute the test orders and write DIR/result.csv.")
  private boolean backtests;

  @Option(
      names = "--skip-bad",
      description = "Leave out orders that cannot be executed, and go on with the others.")
  private boolean skipsBad;

  @Mixin private WeightsOption weights = new WeightsOption();

  @Mixin private PlaceOptions backends = new PlaceOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    PrintWriter err = console.err();
    config = option.or(argument);
    if (skipsTraining && !backtests) {
      err.println("warning: neither training nor a backtest is asked for: nothing to do");
      return ExitCode.OK;
    }
    Arguments.between("--seeds", 1, ModelBundle.MAX_MEMBERS, seeds);
    backends.announceFileSystems();
    try (Plugins.Loaded loaded = plugins.load()) {
      ExecutionRun run = ExecutionRun.read(read(), console::warn);
      if (backtests) {
        run.rejectHindsight("--run-backtest");
      }
      if (seeds > 1) {
        run.rejectHindsight("--seeds");
        if (run.isQlib()) {
          throw new ConfigException("--seeds", "1 for a configuration of Qlib's", seeds);
        }
      }
      Path folder = folder(run);
      Path checkpoint = skipsTraining ? null : checkpoint(new RunFolder(folder), err);
      var options =
          TrainingOptions.in(folder)
              .withThreads(atLeastOne("--threads", threads))
              .withFastDevRun(atLeastOne("--fast-dev-run", fastDevRun))
              .skippingBad(skipsBad);
      try (JobBackend backend = backends.isLocal() ? null : backends.open(1, loaded.jars(), err);
          var display = new TrainingDisplay(console);
          TrainingRun<?> training =
              TrainingRun.open(
                  run,
                  options.withElsewhere(backend == null ? null : RemoteRollouts.on(backend)),
                  display::making,
                  display,
                  Clock.systemUTC())) {
        if (backend != null) {
          display.message(
              "episodes are played on %s, %d at a time".formatted(backend.name(), backend.width()));
        }
        training.parts().data().notes().forEach(display::message);
        return run(training, options, checkpoint, backend, display);
      }
    }
  }

  private ConfigNode read() {
    ConfigNode node = ConfigFiles.loadNamedAnyhow(config);
    for (String assignment : assignments) {
      node = node.with(assignment);
    }
    return ConfigPaths.staged(seed == null ? node : node.with("runtime.seed=" + seed));
  }

  private static @Nullable Integer atLeastOne(String option, @Nullable Integer value) {
    return value == null ? null : Arguments.atLeast(option, 1, value);
  }

  private Path folder(ExecutionRun run) {
    return out == null ? RunFolder.of(run, config).folder() : out;
  }

  /// Returns the checkpoint to continue from, or null to start a new run.
  private @Nullable Path checkpoint(RunFolder directory, PrintWriter err) {
    if (resume == null) {
      if (!overwrite && directory.holdsARun()) {
        throw new ConfigException(
            "--out",
            "a directory without a run, or --resume to continue it, or --overwrite",
            directory.folder());
      }
      return null;
    }
    if (resume.endsWith(".pth")) {
      throw new ConfigException("--resume", "a checkpoint .ckpt", ONLY_WEIGHTS);
    }
    if (!resume.isEmpty()) {
      return Path.of(resume);
    }
    CheckpointFolder.Found newest =
        CheckpointFolder.newest(directory.checkpoints(), complaint -> err.println(complaint));
    if (newest == null) {
      throw new ConfigException(
          "--resume",
          "a checkpoint .ckpt in " + directory.checkpoints(),
          directory.holdsARun() ? ONLY_WEIGHTS : "none");
    }
    return newest.file();
  }

  private int run(
      TrainingRun<?> training,
      TrainingOptions options,
      @Nullable Path checkpoint,
      @Nullable JobBackend backend,
      TrainingDisplay display) {
    Path folder = options.folder();
    int status = ExitCode.OK;
    if (!skipsTraining) {
      Power.tell(training, display::message);
      status = train(training, folder, checkpoint, display);
      if (status == ExitCode.INTERRUPTED) {
        return status;
      }
      RunCheckpoints.Chosen chosen = Deployment.choose(training, new RunFolder(folder));
      if (seeds > 1) {
        Seeds.Training each =
            (other, from) -> train(other, folder, from, display) != ExitCode.INTERRUPTED;
        boolean goesOn = resume != null;
        if (!Seeds.trainOthers(
            training, options, seeds, goesOn, each, display, Clock.systemUTC())) {
          return ExitCode.INTERRUPTED;
        }
        chosen = Seeds.choose(training, new RunFolder(folder), seeds);
      }
      if (chosen != null) {
        display.message("all verbs will use " + chosen);
      }
    }
    if (!backtests) {
      return status;
    }
    RunCheckpoints.Chosen chosen = weights(training, new RunFolder(folder));
    if (chosen != null) {
      training.load(chosen.file());
    }
    display.message(
        "weights: " + (chosen == null ? "those in memory, as in Qlib or before training" : chosen));
    if (training.run().isQlib()) {
      display.result(
          "test: %s; every order is in %s"
              .formatted(qlib(training.test().metrics()), folder.resolve("result.csv")));
      return status;
    }
    var input = new TrainedRun.Input(null, null, null, skipsBad);
    TrainedRun<?> trained = TrainedRun.of(training, input);
    if (chosen != null) {
      trained.load(chosen);
    }
    return Math.max(status, ResultPrinter.play(trained, folder, backend, display::result));
  }

  private static int train(
      TrainingRun<?> training, Path folder, @Nullable Path from, TrainingDisplay display) {
    try (var signal = new StopSignal(training::requestStop)) {
      Trainer trainer = training.train(from, new ValidationVerdicts<>(training));
      display.result(summary(trainer, folder));
      boolean isWhole = trainer.failedEpisodes() == 0 && training.skipped().isEmpty();
      // Somebody may also have asked in the dashboard.
      return signal.hasArrived() || trainer.stopReason() == Stop.REQUEST
          ? ExitCode.INTERRUPTED
          : isWhole ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    }
  }

  /// Returns the weights to test; null for those that the run has now. Qlib tests what it has.
  private RunCheckpoints.@Nullable Chosen weights(TrainingRun<?> training, RunFolder folder) {
    boolean isThere = Files.exists(folder.config()) && !folder.earlierCheckpoints().isEmpty();
    return weights.wanted() == null && (training.run().isQlib() || !isThere)
        ? null
        : RunCheckpoints.chosen(folder, weights.wanted());
  }

  private static String qlib(Map<String, Double> metrics) {
    return Text.of(
        "reward %.4f, advantage %.2f bps, filled %.4f",
        metrics.getOrDefault("reward", Double.NaN),
        metrics.getOrDefault("pa", Double.NaN),
        metrics.getOrDefault("ffr", Double.NaN));
  }

  private static String summary(Trainer trainer, Path folder) {
    Stop reason = trainer.stopReason();
    String why =
        switch (reason) {
          case CALLBACK -> "stopped early, validation no longer improved";
          case REQUEST -> "interrupted; continue with --resume";
          case BUDGET -> "done";
          case null -> "done";
        };
    String failed =
        trainer.failedEpisodes() == 0
            ? ""
            : ", %d orders failed and were put aside".formatted(trainer.failedEpisodes());
    return "%s after %d iterations and %d episodes%s: %s"
        .formatted(why, trainer.iterations(), trainer.episodes(), failed, folder);
  }
}
