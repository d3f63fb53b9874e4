package io.tranche.trainer.callback;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Settings of [CheckpointWriter].
///
/// @param folder is made if it does not exist
/// @param filename with fields: `{iter:03d}`, `{time}`, metrics such as `{val/reward:.2f}`; what
///   follows `.ckpt` or `.pth` at its end does not matter
/// @param everyIterations saves after every so many iterations; null for never
/// @param interval saves after so much time; null for never
/// @param atTheEnd whether it saves when the run ends
/// @param savesOneEarly whether the iteration before every n-th is saved instead, as in Qlib (Q20)
/// @param writesQlibFiles whether a `.pth` in Qlib's layout is written beside each
public record CheckpointConfig(
    Path folder,
    String filename,
    Latest latest,
    @Nullable Integer everyIterations,
    @Nullable Duration interval,
    boolean atTheEnd,
    boolean savesOneEarly,
    boolean writesQlibFiles) {

  /// How `latest.ckpt` refers to the newest checkpoint.
  public enum Latest {
    LINK,
    COPY,
    NONE
  }

  public CheckpointConfig {
    if (everyIterations != null && everyIterations < 1) {
      throw new IllegalArgumentException(
          "everyIterations must be at least 1, was " + everyIterations);
    }
    if (interval != null && interval.isNegative()) {
      throw new IllegalArgumentException("interval must not be negative, was " + interval);
    }
  }

  /// Returns settings that save every `iterations` iterations, and at the end.
  public static CheckpointConfig every(int iterations, Path folder) {
    return new CheckpointConfig(
        folder, "{iter:03d}", Latest.LINK, iterations, null, true, false, false);
  }
}
