package io.tranche.env;

import io.tranche.env.space.Value;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values logged by one step, by name, in order. Qlib: `qlib.rl.utils.LogCollector`.
///
/// Used by one thread at a time; cleared before every step and before its first use. Values below
/// the minimum level are dropped unchecked.
public final class LogCollector {

  /// A logged value with its level.
  public record Entry(LogLevel level, @Nullable Object value) {}

  /// The type that [#add] expects.
  public enum Kind {
    /// A number, a truth value or an array of one element; kept as a double.
    SCALAR,
    STRING,
    ARRAY,
    ANY
  }

  private final LogLevel minimum;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private boolean isCleared;

  /// Makes a collector for the level [LogLevel#PERIODIC] and above.
  public LogCollector() {
    this(LogLevel.PERIODIC);
  }

  public LogCollector(LogLevel minimum) {
    this.minimum = minimum;
  }

  public LogLevel minimum() {
    return minimum;
  }

  public void clear() {
    entries.clear();
    isCleared = true;
  }

  public void scalar(String name, double value) {
    scalar(name, value, LogLevel.PERIODIC);
  }

  /// Logs a number.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void scalar(String name, double value, LogLevel level) {
    if (level.isAtLeast(minimum)) {
      put(name, value, level);
    }
  }

  /// Logs a text.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void string(String name, String value, LogLevel level) {
    any(name, value, level);
  }

  /// Logs an array.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void array(String name, Value value, LogLevel level) {
    add(Kind.ARRAY, name, value, level);
  }

  /// Logs anything else: times, records, nested values.
  ///
  /// @throws IllegalArgumentException if `name` was logged in this step already
  public void any(String name, @Nullable Object value, LogLevel level) {
    if (level.isAtLeast(minimum)) {
      put(name, value, level);
    }
  }

  /// Logs a value of unchecked type, as Qlib's `add_scalar` and similar methods do.
  ///
  /// @throws ClassCastException if the value is of another kind
  /// @throws IllegalArgumentException if `name` was logged in this step already, or an array logged
  ///   as a scalar does not have exactly one element
  public void add(Kind kind, String name, @Nullable Object value, LogLevel level) {
    if (!level.isAtLeast(minimum)) {
      return;
    }
    Object kept =
        switch (kind) {
          case SCALAR -> number(name, value);
          case STRING -> checked(name, "a text", value instanceof String, value);
          case ARRAY -> checked(name, "an array", isArray(value), value);
          case ANY -> value;
        };
    put(name, kept, level);
  }

  /// Returns a view of the logged values, which the next [#clear] empties.
  public Map<String, Entry> entries() {
    return Collections.unmodifiableMap(entries);
  }

  private void put(String name, @Nullable Object value, LogLevel level) {
    if (!isCleared) {
      throw new IllegalStateException("the log must be cleared before " + name + " is logged");
    }
    if (entries.putIfAbsent(name, new Entry(level, value)) != null) {
      throw new IllegalArgumentException("name must not be logged twice in one step, was " + name);
    }
  }

  private static double number(String name, @Nullable Object value) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case Boolean truth -> truth ? 1 : 0;
      case Value.Floats floats when isOne(name, floats.size()) -> floats.at(0);
      case Value.Integers integers when isOne(name, integers.size()) -> integers.at(0);
      case null, default -> throw wrongKind(name, "a number", value);
    };
  }

  private static boolean isOne(String name, int size) {
    if (size != 1) {
      throw new IllegalArgumentException(
          "%s must be one number, was an array of %d".formatted(name, size));
    }
    return true;
  }

  private static boolean isArray(@Nullable Object value) {
    return value instanceof Value.Floats || value instanceof Value.Integers;
  }

  private static @Nullable Object checked(
      String name, String kind, boolean isRight, @Nullable Object value) {
    if (!isRight) {
      throw wrongKind(name, kind, value);
    }
    return value;
  }

  private static ClassCastException wrongKind(String name, String kind, @Nullable Object value) {
    String was = value == null ? "null" : value.getClass().getSimpleName();
    return new ClassCastException("%s must be %s, was %s".formatted(name, kind, was));
  }
}
