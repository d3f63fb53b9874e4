package io.tranche.env.log;

import io.tranche.env.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Logged objects as plain trees, and back.
final class LogValues {

  private LogValues() {}

  /// Returns an object as a tree: whatever is no number, truth value, text, map, list or array
  /// becomes the text that it prints as.
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
    return state.entries().get(name) instanceof Value.Dict dict
        ? dict
        : throwWrong(name, "a dictionary", state.entries().get(name));
  }

  /// Returns the items of a tuple, plain ones unwrapped.
  static List<@Nullable Object> list(Value.Dict state, String name) {
    Value.Tuple tuple =
        state.entries().get(name) instanceof Value.Tuple found
            ? found
            : throwWrong(name, "a list", state.entries().get(name));
    return tuple.items().stream().<@Nullable Object>map(LogValues::plain).toList();
  }

  static long count(Value.Dict state, String name) {
    return state.entries().get(name) instanceof Value.Plain(Long count) && count >= 0
        ? count
        : throwWrong(name, "a count", state.entries().get(name));
  }

  static Number number(@Nullable Object object) {
    return object instanceof Number number ? number : throwWrong("state", "a number", object);
  }

  static Map<String, Double> numbers(Value.Dict state, String name) {
    var numbers = new LinkedHashMap<String, Double>();
    dict(state, name)
        .entries()
        .forEach((key, value) -> numbers.put(key, number(plain(value)).doubleValue()));
    return numbers;
  }

  static Map<String, @Nullable Object> plainEntries(@Nullable Object step) {
    if (!(step instanceof Value.Dict dict)) {
      return throwWrong("episode_logs", "dictionaries", step);
    }
    var entries = new LinkedHashMap<String, @Nullable Object>();
    dict.entries().forEach((name, value) -> entries.put(name, plain(value)));
    return entries;
  }

  private static @Nullable Object plain(Value value) {
    return value instanceof Value.Plain(var object) ? object : value;
  }

  private static <T> T throwWrong(String name, String expected, @Nullable Object was) {
    throw new IllegalArgumentException("%s must be %s, was %s".formatted(name, expected, was));
  }
}
