package io.tranche.env.vector;

import io.tranche.env.LogLevel;

/// Settings of a vector of environments.
///
/// @param size number of environments; Qlib's `concurrency`
/// @param logLevel the lowest level that environments log
/// @param maxConsecutiveFailures how many episodes may fail without a successful step in between;
///   more failures mean that the problem itself is broken
public record VectorConfig(
    int size, LogLevel logLevel, OnFailure onFailure, int maxConsecutiveFailures) {

  public VectorConfig {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, was " + size);
    }
    if (maxConsecutiveFailures < 0) {
      throw new IllegalArgumentException(
          "maxConsecutiveFailures must not be negative, was " + maxConsecutiveFailures);
    }
  }

  public static VectorConfig of(int size) {
    return new VectorConfig(size, LogLevel.PERIODIC, OnFailure.QUARANTINE, 1_000);
  }

  public VectorConfig with(LogLevel level) {
    return new VectorConfig(size, level, onFailure, maxConsecutiveFailures);
  }

  public VectorConfig with(OnFailure reaction) {
    return new VectorConfig(size, logLevel, reaction, maxConsecutiveFailures);
  }

  public VectorConfig withMaxConsecutiveFailures(int count) {
    return new VectorConfig(size, logLevel, onFailure, count);
  }
}
