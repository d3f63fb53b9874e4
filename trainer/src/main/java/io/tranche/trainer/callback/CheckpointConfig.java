package io.tranche.trainer.callback;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Settings of [CheckpointWriter].
///
/// @param folder created if it does not exist
/// @param filename with fields: `{iter:03d}`, `{time}`, metrics such as `{val/reward:.2f}`; a
///   suffix `.ckpt` or `.pth` is ignored
/// @param everyIterations number of iterations between saves; null for never
/// @param interval time between saves; null for never
/// @param atTheEnd whether to save when the run ends
/// @param savesOneEarly whether to save one iteration earlier, as in Qlib (Q20)
/// @param keep how many files are kept; null for all
/// @param writesQlibFiles whether to write a `.pth` in Qlib's layout beside each checkpoint
public record CheckpointConfig(
    Path folder,
    String filename,
    Latest latest,
    @Nullable Integer everyIterations,
    @Nullable Duration interval,
    boolean atTheEnd,
    @Nullable Integer keep,
    boolean savesOneEarly,
    boolean writesQlibFiles) {

  /// What `latest.ckpt` is: a link to the newest checkpoint or a copy of it.
  public enum Latest {
    LINK,
    COPY,
    NONE;

    /// Makes `latest`, next to `file` and with the same suffix, a link to it or a copy of it.
    ///
    /// @param target the target of a link
    void update(Path file, Path target) {
      String name = file.getFileName().toString();
      Path latest = file.resolveSibling("latest" + name.substring(name.lastIndexOf('.')));
      try {
        switch (this) {
          case LINK -> link(latest, target);
          case COPY -> copy(latest, file);
          case NONE -> {}
        }
      } catch (IOException e) {
        throw DataException.unwritable(latest, e);
      }
    }

    /// Replaces the link by a rename, so that it always exists.
    private static void link(Path latest, Path target) throws IOException {
      Path made = latest.resolveSibling("." + latest.getFileName() + ".link");
      Files.deleteIfExists(made);
      Files.createSymbolicLink(made, target);
      Files.move(made, latest, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void copy(Path latest, Path file) throws IOException {
      PendingFile.write(
          latest, path -> Files.copy(file, path, StandardCopyOption.REPLACE_EXISTING));
    }
  }

  public CheckpointConfig {
    if (everyIterations != null && everyIterations < 1) {
      throw new IllegalArgumentException(
          "everyIterations must be at least 1, was " + everyIterations);
    }
    if (keep != null && keep < 1) {
      throw new IllegalArgumentException("keep must be at least 1, was " + keep);
    }
    if (interval != null && interval.isNegative()) {
      throw new IllegalArgumentException("interval must not be negative, was " + interval);
    }
  }

  /// Returns settings that save every `iterations` iterations, and at the end.
  public static CheckpointConfig every(int iterations, Path folder) {
    return new CheckpointConfig(
        folder, "{iter:03d}", Latest.LINK, iterations, null, true, null, false, false);
  }
}
