package io.tranche.work.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.DeviationGuard;
import io.tranche.files.Sha256;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.backtest.BacktestPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The checkpoints to export, and their run.
///
/// @param run the run directory; null if there is none
/// @param choice why these checkpoints were chosen, in a few words
/// @param guard how far they may deviate from TWAP; null for as far as they want
public record ExportInput(
    List<Path> checkpoints, @Nullable Path run, String choice, @Nullable DeviationGuard guard) {

  public ExportInput {
    checkpoints = List.copyOf(checkpoints);
  }

  /// Takes a run directory or checkpoints.
  ///
  /// @param best how many of a run's best checkpoints in validation to take; null for one
  /// @param weights which one of a run: see [RunCheckpoints#chosen]
  /// @throws ConfigException if the arguments are neither
  public static ExportInput of(
      List<Path> arguments, @Nullable Integer best, @Nullable String weights) {
    if (arguments.size() == 1 && Files.isDirectory(arguments.getFirst())) {
      return ofRun(arguments.getFirst(), best, weights);
    }
    if (best != null || weights != null) {
      throw new ConfigException(
          best != null ? "--best" : "--weights", "a run directory", arguments.getFirst());
    }
    for (Path file : arguments) {
      if (Files.isDirectory(file)) {
        throw new ConfigException("CKPT", "one run, or checkpoints", "the folder " + file);
      }
    }
    return new ExportInput(arguments, runOf(arguments.getFirst()), "as given", null);
  }

  private static ExportInput ofRun(Path folder, @Nullable Integer best, @Nullable String weights) {
    var run = new RunFolder(folder);
    if (!Files.isRegularFile(run.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train, or a checkpoint", folder);
    }
    if (best == null) {
      RunCheckpoints.Chosen chosen = RunCheckpoints.chosen(run, weights);
      return new ExportInput(chosen.files(), folder, chosen.reason(), chosen.guard());
    }
    String metric = RunCheckpoints.monitor(run);
    List<Path> validated =
        RunCheckpoints.best(run, metric, best).stream().map(RunCheckpoints.Scored::file).toList();
    return new ExportInput(
        validated, folder, "of the %d best by %s".formatted(validated.size(), metric), null);
  }

  /// Returns the run directory of a checkpoint, or null.
  private static @Nullable Path runOf(Path checkpoint) {
    Path folder = checkpoint.toAbsolutePath().normalize().getParent();
    for (int i = 0; i < 2 && folder != null; i++) {
      if (Files.isRegularFile(new RunFolder(folder).config())) {
        return folder;
      }
      folder = folder.getParent();
    }
    return null;
  }

  /// What the checkpoints were trained with.
  sealed interface Trained {

    /// Returns the digest of the configuration.
    String sha256();

    /// A training run.
    record InRun(ExecutionRun run, String sha256) implements Trained {}

    /// A backtest, which says what its policy sees and does, but not what it was trained on.
    record ForBacktest(BacktestPlan plan, String sha256) implements Trained {}
  }

  /// Reads what the checkpoints were trained with.
  ///
  /// @param given the file with the configuration; null for the one in the checkpoints
  /// @param warnings receives one line for each thing that is ignored
  /// @throws ConfigException if there is none, or those of the checkpoints differ
  Trained trained(@Nullable Path given, Consumer<String> warnings) {
    if (given == null) {
      return trained();
    }
    ConfigNode config = ConfigFiles.load(given);
    String sha256 = Sha256.of(config.toYaml().getBytes(UTF_8));
    return BacktestPlan.isOne(config)
        ? new Trained.ForBacktest(BacktestPlan.from(config, warnings), sha256)
        : new Trained.InRun(ExecutionRun.readTrained(config, warnings), sha256);
  }

  /// Reads the run that the checkpoints themselves name.
  ///
  /// @throws ConfigException if there is none, or those of the checkpoints differ
  Trained.InRun trained() {
    Trained.InRun first = null;
    for (Path file : checkpoints) {
      Checkpoint checkpoint = CheckpointFile.isArchive(file) ? CheckpointFile.read(file) : null;
      ExecutionRun run = checkpoint == null ? null : ExecutionRun.ofCheckpoint(file, checkpoint);
      if (checkpoint == null || run == null) {
        throw new ConfigException(
            "--config", "the configuration that %s was trained with".formatted(file), "none");
      }
      if (first == null) {
        first = new Trained.InRun(run, Sha256.of(checkpoint.config().getBytes(UTF_8)));
      } else {
        requireAlike(first.run(), run, file);
      }
    }
    return Objects.requireNonNull(first);
  }

  /// Members of an ensemble must agree in everything that decisions depend on.
  private static void requireAlike(ExecutionRun first, ExecutionRun other, Path file) {
    Map<String, Function<ExecutionRun, @Nullable Object>> parts = new LinkedHashMap<>();
    parts.put("network", run -> run.agent().network());
    parts.put("state_interpreter", run -> run.problem().stateInterpreter());
    parts.put("action_interpreter", run -> run.problem().actionInterpreter());
    parts.put("simulator", run -> run.problem().simulator());
    parts.put("data", ExecutionRun::data);
    parts.forEach(
        (name, part) -> {
          if (!Objects.equals(part.apply(first), part.apply(other))) {
            throw new ConfigException(
                file + ": config.yml", "the %s of the first checkpoint".formatted(name), "another");
          }
        });
  }
}
