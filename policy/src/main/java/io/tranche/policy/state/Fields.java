package io.tranche.policy.state;

import io.tranche.policy.weights.CheckpointException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A plain value read from a file, with accessors that check its type.
///
/// @param where its name in error messages
public record Fields(String where, @Nullable Object value) {

  public Map<String, @Nullable Object> map() {
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong("an object");
    }
    var copy = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, item) -> copy.put(String.valueOf(key), item));
    return copy;
  }

  public Map<String, Double> numbers() {
    var numbers = new LinkedHashMap<String, Double>();
    map().forEach((key, item) -> numbers.put(key, new Fields(where + "." + key, item).number()));
    return numbers;
  }

  public List<?> list() {
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong("a list");
  }

  /// Returns a required field.
  public Fields field(String name) {
    Map<String, @Nullable Object> map = map();
    if (!map.containsKey(name)) {
      throw new CheckpointException(where, "a field " + name, "none");
    }
    return new Fields(where + ": " + name, map.get(name));
  }

  public Fields item(int index) {
    List<?> list = list();
    if (index >= list.size()) {
      throw new CheckpointException(where, "more than %d items".formatted(index), list.size());
    }
    return new Fields(where, list.get(index));
  }

  public String text() {
    if (value instanceof String text) {
      return text;
    }
    throw wrong("a text");
  }

  public long count() {
    if (value instanceof Long number) {
      return number;
    }
    throw wrong("a whole number");
  }

  /// Returns a number; NaN and infinities may be texts, because JSON cannot express them.
  public double number() {
    return switch (value) {
      case Double number -> number;
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      case null, default -> throw wrong("a number");
    };
  }

  public <E extends Enum<E>> E constant(E[] constants) {
    String name = text();
    for (E each : constants) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw wrong("one of " + List.of(constants));
  }

  private CheckpointException wrong(String expected) {
    return new CheckpointException(where, expected, value);
  }
}
