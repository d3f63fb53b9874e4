package io.tranche.serving.predict;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.List;

/// The settings of predictions.
///
/// @param windowMicros how long the first observation of a batch waits for others
/// @param maxRows the largest number of observations per batch
/// @param threads the number of threads that evaluate
/// @param maxQueued how many observations may wait; more are refused
/// @param cacheEntries how many answers are cached, about 10 kB each; 0 for none
/// @param deadlineMicros how long an answer may take, unless the request sets a deadline
public record PredictConfig(
    int windowMicros,
    int maxRows,
    int threads,
    int maxQueued,
    int cacheEntries,
    long deadlineMicros) {

  public static final PredictConfig DEFAULT = new PredictConfig(200, 64, 1, 4096, 1024, 1_000_000);

  /// @throws ConfigException if a value is out of range
  public PredictConfig {
    require("window_micros", windowMicros, 0, 1_000_000);
    require("max_rows", maxRows, 1, 1024);
    require("threads", threads, 1, 64);
    require("max_queued", maxQueued, 1, 1_000_000);
    require("cache_entries", cacheEntries, 0, 1_000_000);
    require("deadline_micros", deadlineMicros, 1, 60_000_000);
  }

  private static void require(String name, long value, long low, long high) {
    if (value < low || value > high) {
      throw new ConfigException(
          "predict." + name, "a whole number in [%d, %d]".formatted(low, high), value);
    }
  }

  /// Reads the section `predict` of a configuration.
  public static PredictConfig from(ConfigNode node) {
    node.rejectUnknown(
        List.of(
            "window_micros",
            "max_rows",
            "threads",
            "max_queued",
            "cache_entries",
            "deadline_micros"));
    PredictConfig or = DEFAULT;
    return new PredictConfig(
        node.intOr("window_micros", or.windowMicros),
        node.intOr("max_rows", or.maxRows),
        node.intOr("threads", or.threads),
        node.intOr("max_queued", or.maxQueued),
        node.intOr("cache_entries", or.cacheEntries),
        node.intOr("deadline_micros", (int) or.deadlineMicros));
  }
}
