package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.files.PendingFile;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The folder of a search. Each trial has its own run directory, which other verbs accept.
record TuneDirectory(Path folder) {

  Path log() {
    return folder.resolve("trials.jsonl");
  }

  Path leaderboard() {
    return folder.resolve("leaderboard.csv");
  }

  private Path config() {
    return folder.resolve("tune.yml");
  }

  private Path trials() {
    return folder.resolve("trials");
  }

  RunFolder trial(int number) {
    return new RunFolder(trials().resolve("%03d".formatted(number)));
  }

  /// Returns the folder of the data that trials share, laid out like that of a run.
  RunFolder shared() {
    return new RunFolder(folder);
  }

  /// Returns the path of the checkpoint of a trial after `iterations` iterations.
  Path checkpoint(int trial, int iterations) {
    return trial(trial)
        .checkpoints()
        .resolve("%03d%s".formatted(iterations, CheckpointFile.SUFFIX));
  }

  /// Refuses a folder that holds something else, before anything in it is changed.
  ///
  /// @param overwrites whether another search there will be deleted
  /// @throws ConfigException if another search is there, or a run
  void requireOurs(TuneConfig config, boolean overwrites) {
    if (!Files.exists(config())) {
      if (Files.exists(shared().config()) || Files.exists(shared().checkpoints())) {
        throw new ConfigException("--out", "a directory without a run", folder);
      }
    } else if (!overwrites && !identity().equals(config.identity())) {
      throw new ConfigException(
          "--out",
          "a directory without a search, or with this one, or --overwrite",
          folder + ", whose tune.yml has another configuration, space, metric or seed");
    }
    create(folder);
  }

  /// Makes the folder ready for a search.
  ///
  /// @param overwrites whether another search in it is deleted
  void claim(TuneConfig config, boolean overwrites) {
    if (overwrites && Files.exists(config())) {
      try {
        delete();
      } catch (IOException e) {
        throw DataException.unwritable(folder, e);
      }
    }
    create(trials());
    write(config(), config.resolved().toYaml());
  }

  private static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  /// Returns the identity of the search in the folder.
  private String identity() {
    return TuneFile.read(config(), _ -> {}).identity();
  }

  private void delete() throws IOException {
    for (Path each : List.of(trials(), shared().data())) {
      if (Files.exists(each)) {
        StagedFolder.delete(each);
      }
    }
    Files.deleteIfExists(leaderboard());
    // The settings last: they mark the folder as that of a search.
    Files.deleteIfExists(config());
  }

  /// @throws CheckpointException if the file is missing
  byte[] readCheckpoint(int trial, int iterations) {
    Path file = checkpoint(trial, iterations);
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  void writeCheckpoint(int trial, int iterations, byte[] content) {
    Path file = checkpoint(trial, iterations);
    try {
      Files.createDirectories(trial(trial).checkpoints());
      PendingFile.write(file, content);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Deletes a checkpoint that a later one has replaced.
  void deleteCheckpoint(int trial, int iterations) {
    Path file = checkpoint(trial, iterations);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  void writeConfig(int trial, String yaml) {
    write(trial(trial).config(), yaml);
  }

  static void write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      PendingFile.write(file, text);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
