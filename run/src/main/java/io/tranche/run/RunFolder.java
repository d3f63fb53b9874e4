package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where everything that a run leaves behind is put.
public record RunFolder(Path folder) {

  /// Returns where the resolved configuration is.
  public Path config() {
    return folder.resolve("config.yml");
  }

  public Path metrics() {
    return folder.resolve("metrics.jsonl");
  }

  /// Returns where memory, processor time and threads are, one line per iteration.
  public Path process() {
    return folder.resolve("process.jsonl");
  }

  /// Returns where a run is kept: where it says, or else in `runs` under the name of its file.
  public static RunFolder of(ExecutionRun run, Path file) {
    Path stated = run.trainer().folder();
    return new RunFolder(
        stated != null
            ? stated
            : Path.of("runs", file.getFileName().toString().replaceFirst("\\.[^.]*$", "")));
  }

  public Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  /// Returns where the checkpoint is that `tranche select` chose; it may be missing.
  public Path selected() {
    return folder.resolve("selected" + CheckpointFile.SUFFIX);
  }

  /// Returns where the guard is that was fitted to the weights in use; it may be missing.
  public Path guard() {
    return folder.resolve("guard.yml");
  }

  /// Returns the file that asks a run to stop after its current iteration; it may be missing.
  public Path stopRequest() {
    return folder.resolve("stop.request");
  }

  /// Returns where words are by which people find the run; it may be missing.
  public Path tags() {
    return folder.resolve("tags.json");
  }

  /// Returns where `tranche judge` puts its report and what it recorded; it may be missing.
  public Path judged() {
    return folder.resolve("judge");
  }

  /// Returns where data are that the run made itself.
  public Path data() {
    return folder.resolve("data");
  }

  /// Returns the checkpoints of an earlier run, ours and not Qlib's.
  public List<Path> earlierCheckpoints() {
    return checkpoints(CheckpointFile.SUFFIX);
  }

  /// Whether an earlier run left something here, ours or Qlib's own.
  public boolean holdsARun() {
    return !earlierCheckpoints().isEmpty() || !checkpoints(".pth").isEmpty();
  }

  private List<Path> checkpoints(String suffix) {
    if (!Files.isDirectory(checkpoints())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(checkpoints())) {
      return files.filter(file -> file.getFileName().toString().endsWith(suffix)).sorted().toList();
    } catch (IOException e) {
      throw new DataException(
          checkpoints().toString(), "a folder that can be read", e.getMessage());
    }
  }

  /// Keeps other processes, and other parts of this one, from working in this folder until the lock
  /// is closed. Reading needs no lock.
  ///
  /// @throws ConfigException if another has the lock; says which process
  public FolderLock lock() {
    try {
      return FolderLock.take(folder);
    } catch (FolderLock.InUseException e) {
      throw new ConfigException(
          folder.toString(), FolderLock.InUseException.EXPECTED, e.getMessage());
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  /// Deletes the checkpoints of an earlier run, which others would take for those of this one.
  void forgetEarlierRun() {
    forgetChoice();
    earlierCheckpoints().forEach(RunFolder::delete);
  }

  /// Deletes what was chosen of an earlier run, or of this one before it went on.
  void forgetChoice() {
    delete(selected());
    delete(guard());
  }

  /// Makes `checkpoints` a link to `place`, so that everything that looks for checkpoints finds
  /// them.
  ///
  /// @param place null for no other place
  /// @throws ConfigException if there are checkpoints of another run
  void keepCheckpointsIn(@Nullable Path place) {
    Path link = checkpoints();
    try {
      if (place == null) {
        if (Files.isSymbolicLink(link)) {
          Files.delete(link);
        }
        return;
      }
      Files.createDirectories(folder);
      Files.createDirectories(place);
      Path target = place.toRealPath();
      if (Files.exists(link) && link.toRealPath().equals(target)) {
        return;
      }
      try (Stream<Path> there = Files.list(target)) {
        if (there.anyMatch(file -> file.toString().endsWith(CheckpointFile.SUFFIX))) {
          throw new ConfigException(
              "checkpoint.dirpath", "a folder without checkpoints of another run", place);
        }
      }
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, target);
    } catch (IOException e) {
      throw DataException.unwritable(link, e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  void writeConfig(String yaml) {
    try {
      Files.createDirectories(folder);
      PendingFile.write(config(), yaml);
    } catch (IOException e) {
      throw DataException.unwritable(config(), e);
    }
  }
}
