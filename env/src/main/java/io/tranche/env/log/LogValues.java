package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts logged objects to plain trees and back.
final class LogValues {

  private LogValues() {}

  /// Returns an object as a tree. Anything but numbers, truth values, texts, maps, lists and arrays
  /// becomes its `toString`.
  static Value of(@Nullable Object object) {
    return switch (object) {
      case Value value -> value;
      case null -> new Value.Plain(null);
      case Boolean truth -> new Value.Plain(truth);
      case Double number -> new Value.Plain(number);
      case Float number -> new Value.Plain(number.doubleValue());
      case Long number -> new Value.Plain(number);
      case Integer number -> new Value.Plain(number.longValue());
      case double[] numbers ->
          new Value.Floats(Value.ElementType.FLOAT64, List.of(numbers.length), numbers.clone());
      case Map<?, ?> map -> {
        var entries = new LinkedHashMap<String, Value>();
        map.forEach((name, value) -> entries.put(String.valueOf(name), of(value)));
        yield new Value.Dict(entries);
      }
      case List<?> list -> new Value.Tuple(list.stream().map(LogValues::of).toList());
      default -> new Value.Plain(object.toString());
    };
  }

  static Value.Dict dict(Value.Dict state, String name) {
    if (state.entries().get(name) instanceof Value.Dict dict) {
      return dict;
    }
    throw wrong(name, "a dictionary", state.entries().get(name));
  }

  /// Returns the items of a tuple, with plain items unwrapped.
  static List<@Nullable Object> list(Value.Dict state, String name) {
    if (!(state.entries().get(name) instanceof Value.Tuple(var items))) {
      throw wrong(name, "a list", state.entries().get(name));
    }
    return items.stream().<@Nullable Object>map(LogValues::plain).toList();
  }

  static long count(Value.Dict state, String name) {
    if (state.entries().get(name) instanceof Value.Plain(Long count) && count >= 0) {
      return count;
    }
    throw wrong(name, "a count", state.entries().get(name));
  }

  static Number number(String name, @Nullable Object object) {
    if (object instanceof Number number) {
      return number;
    }
    throw wrong(name, "a number", object);
  }

  static Map<String, Double> numbers(Value.Dict state, String name) {
    var numbers = new LinkedHashMap<String, Double>();
    dict(state, name)
        .entries()
        .forEach((key, value) -> numbers.put(key, number(name, plain(value)).doubleValue()));
    return numbers;
  }

  static Map<String, @Nullable Object> plainEntries(String name, @Nullable Object step) {
    if (!(step instanceof Value.Dict(var values))) {
      throw wrong(name, "dictionaries", step);
    }
    var entries = new LinkedHashMap<String, @Nullable Object>();
    values.forEach((key, value) -> entries.put(key, plain(value)));
    return entries;
  }

  static IllegalArgumentException wrong(String name, String expected, @Nullable Object was) {
    return new IllegalArgumentException("%s must be %s, was %s".formatted(name, expected, was));
  }

  private static @Nullable Object plain(Value value) {
    return value instanceof Value.Plain(var object) ? object : value;
  }
}
