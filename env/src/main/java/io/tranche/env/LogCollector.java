package io.tranche.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What one step of one environment logs, by name, in order. Qlib: `qlib.rl.utils.LogCollector`.
///
/// Used by one thread at a time; cleared before every step.
public final class LogCollector {

  /// A logged value with its level.
  public record Entry(LogLevel level, Object value) {}

  private final LogLevel minimum;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  public LogCollector(LogLevel minimum) {
    this.minimum = minimum;
  }

  public LogLevel minimum() {
    return minimum;
  }

  public void clear() {
    entries.clear();
  }

  public void scalar(String name, double value) {
    scalar(name, value, LogLevel.PERIODIC);
  }

  /// Logs a number.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void scalar(String name, double value, LogLevel level) {
    if (level.isAtLeast(minimum)) {
      add(name, new Entry(level, value));
    }
  }

  /// Logs anything else: texts, times, arrays, records.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void any(String name, Object value, LogLevel level) {
    if (level.isAtLeast(minimum)) {
      add(name, new Entry(level, value));
    }
  }

  private void add(String name, Entry entry) {
    if (entries.putIfAbsent(name, entry) != null) {
      throw new IllegalArgumentException("name must not be logged twice a step, was " + name);
    }
  }

  /// Returns what was logged, a view that the next [#clear] empties.
  public Map<String, Entry> entries() {
    return Collections.unmodifiableMap(entries);
  }
}
