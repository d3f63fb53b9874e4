package io.tranche.work.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.Sha256;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.selection.RunCheckpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What is to be exported: checkpoints, and the run that they are of.
///
/// @param run its directory; null if there is none
/// @param choice why it is these checkpoints, in a few words
public record ExportInput(List<Path> checkpoints, @Nullable Path run, String choice) {

  /// Parts of a configuration that decisions depend on: those of an ensemble agree in them.
  private static final List<String> PARTS =
      List.of("network", "state_interpreter", "action_interpreter", "simulator", "data");

  public ExportInput {
    checkpoints = List.copyOf(checkpoints);
  }

  /// Takes a run directory or checkpoints. Of a run it is the checkpoint that `tranche select`
  /// chose, else the best in validation, else the latest.
  ///
  /// @param best how many of the best in validation are taken of a run instead; null not to
  /// @throws ConfigException if it is neither
  public static ExportInput of(List<Path> arguments, @Nullable Integer best) {
    if (arguments.size() == 1 && Files.isDirectory(arguments.getFirst())) {
      return ofRun(arguments.getFirst(), best);
    }
    if (best != null) {
      throw new ConfigException("--best", "a run directory", arguments.getFirst());
    }
    for (Path file : arguments) {
      if (Files.isDirectory(file)) {
        throw new ConfigException("CKPT", "one run, or checkpoints", "the folder " + file);
      }
    }
    return new ExportInput(arguments, runOf(arguments.getFirst()), "as given");
  }

  private static ExportInput ofRun(Path folder, @Nullable Integer best) {
    var run = new RunFolder(folder);
    if (!Files.isRegularFile(run.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train, or a checkpoint", folder);
    }
    Path selected = folder.resolve("selected.ckpt");
    if (best == null && Files.exists(selected)) {
      return new ExportInput(List.of(selected), folder, "the one that tranche select chose");
    }
    String metric =
        ExecutionRun.read(withoutTeacher(ConfigFiles.load(run.config())), _ -> {})
            .validation()
            .monitor();
    List<RunCheckpoints.Scored> all = RunCheckpoints.last(run, metric, Integer.MAX_VALUE);
    List<Path> validated =
        all.stream()
            .filter(each -> each.score() != null)
            .sorted(RunCheckpoints.BEST_FIRST)
            .limit(best == null ? 1 : best)
            .map(RunCheckpoints.Scored::file)
            .toList();
    if (validated.isEmpty() && best != null) {
      throw new ConfigException("--best", "checkpoints that were validated", "none");
    }
    if (validated.isEmpty()) {
      return new ExportInput(
          List.of(all.getFirst().file()), folder, "the latest, none was validated");
    }
    return new ExportInput(
        validated,
        folder,
        validated.size() == 1
            ? "the best by " + metric
            : "of the %d best by %s".formatted(validated.size(), metric));
  }

  /// A student is whole without its teacher, who may be gone.
  static ConfigNode withoutTeacher(ConfigNode config) {
    return config.without("distillation");
  }

  /// Returns the run directory that a checkpoint lies in, or null.
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

  /// A configuration and the digest of its text.
  record Described(ConfigNode config, String sha256) {}

  /// Returns the configuration that the checkpoints were trained with.
  ///
  /// @param given the file that says so; null to take what the checkpoints hold
  /// @throws ConfigException if there is none, or those of the checkpoints differ
  Described config(@Nullable Path given) {
    if (given != null) {
      ConfigNode config = ConfigFiles.load(given);
      return new Described(config, Sha256.of(config.toYaml().getBytes(UTF_8)));
    }
    Described first = null;
    for (Path file : checkpoints) {
      if (!CheckpointFile.isArchive(file)) {
        throw new ConfigException(
            "--config", "the configuration that %s was trained with".formatted(file), "none");
      }
      Checkpoint checkpoint = CheckpointFile.read(file);
      ConfigNode config = ConfigFiles.parse(file + ": config.yml", checkpoint.config());
      if (first == null) {
        first = new Described(config, Sha256.of(checkpoint.config().getBytes(UTF_8)));
      } else {
        requireAlike(first.config(), config, file);
      }
    }
    return Objects.requireNonNull(first);
  }

  private static void requireAlike(ConfigNode first, ConfigNode other, Path file) {
    for (String part : PARTS) {
      ConfigNode one = first.written(part);
      ConfigNode two = other.written(part);
      if (!Objects.equals(one == null ? null : one.toYaml(), two == null ? null : two.toYaml())) {
        throw new ConfigException(
            file + ": config.yml", "the %s of the first checkpoint".formatted(part), "another");
      }
    }
  }
}
