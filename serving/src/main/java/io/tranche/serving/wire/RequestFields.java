package io.tranche.serving.wire;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A JSON object that is being read: knows where it is, and which of its keys somebody wanted.
final class RequestFields {

  /// The longest id and name.
  static final int MAX_NAME = 200;

  private final String where;
  private final Map<?, ?> entries;
  private final Set<String> known = new HashSet<>();

  /// @param where empty for the body itself
  /// @throws MalformedException if `value` is no object
  RequestFields(String where, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new MalformedException(where.isEmpty() ? "body" : where, "an object", describe(value));
    }
    this.where = where;
    this.entries = map;
  }

  /// Refuses keys that nobody asked for.
  ///
  /// @return `value`, for the end of an expression
  <T> T end(T value) {
    for (Object key : entries.keySet()) {
      if (key instanceof String name && !known.contains(name)) {
        throw new MalformedException(place(name), "no such key", "there");
      }
    }
    return value;
  }

  private String place(String key) {
    return where.isEmpty() ? key : where + "." + key;
  }

  boolean has(String key) {
    known.add(key);
    return entries.get(key) != null;
  }

  private Object required(String key) {
    known.add(key);
    Object value = entries.get(key);
    if (value == null) {
      throw new MalformedException(
          place(key), "a value", entries.containsKey(key) ? "null" : "missing");
    }
    return value;
  }

  MalformedException wrong(String key, String expected) {
    return new MalformedException(place(key), expected, describe(entries.get(key)));
  }

  private static String describe(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "an object";
      case List<?> _ -> "a list";
      case Json.Numbers _ -> "a list of numbers";
      case String text -> "'" + text + "'";
      default -> value.toString();
    };
  }

  /// Returns a text that is an id or a name.
  String name(String key) {
    if (required(key) instanceof String text && isName(text)) {
      return text;
    }
    throw wrong(key, "a text of 1 to %d characters without control characters".formatted(MAX_NAME));
  }

  static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_NAME
        && text.chars().noneMatch(Character::isISOControl);
  }

  @Nullable String nameOrNull(String key) {
    return has(key) ? name(key) : null;
  }

  /// Returns any text.
  String text(String key) {
    if (required(key) instanceof String text) {
      return text;
    }
    throw wrong(key, "a text");
  }

  double number(String key) {
    if (required(key) instanceof Number number) {
      return number.doubleValue();
    }
    throw wrong(key, "a number");
  }

  /// Returns a number, NaN for null.
  double numberOrNan(String key) {
    return has(key) ? number(key) : Double.NaN;
  }

  long whole(String key, long low, long high) {
    if (required(key) instanceof Long number && number >= low && number <= high) {
      return number;
    }
    throw wrong(key, "a whole number in [%d, %d]".formatted(low, high));
  }

  boolean truth(String key) {
    if (required(key) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(key, "true or false");
  }

  LocalDate date(String key) {
    try {
      return LocalDate.parse(text(key));
    } catch (DateTimeException _) {
      throw wrong(key, "a date such as 2026-01-31");
    }
  }

  LocalDateTime time(String key) {
    try {
      return LocalDateTime.parse(text(key));
    } catch (DateTimeException _) {
      throw wrong(key, "a local time such as 2026-01-31T09:30:00");
    }
  }

  /// Returns the constant whose name is written in lower case.
  <E extends Enum<E>> E choice(String key, Class<E> type) {
    String text = text(key);
    for (E each : type.getEnumConstants()) {
      if (EnumNames.of(each).equals(text)) {
        return each;
      }
    }
    throw wrong(key, "one of " + EnumNames.of(type));
  }

  RequestFields object(String key) {
    return new RequestFields(place(key), required(key));
  }

  /// Returns a list, each item made by `item` of its place and its value.
  <T> List<T> list(String key, int most, BiFunction<String, @Nullable Object, T> item) {
    List<T> made = new ArrayList<>();
    if (required(key) instanceof List<?> items && items.size() <= most) {
      for (int i = 0; i < items.size(); i++) {
        made.add(item.apply("%s[%d]".formatted(place(key), i), items.get(i)));
      }
      return made;
    }
    if (entries.get(key) instanceof Json.Numbers numbers && numbers.size() <= most) {
      for (int i = 0; i < numbers.size(); i++) {
        made.add(item.apply("%s[%d]".formatted(place(key), i), numbers.at(i)));
      }
      return made;
    }
    throw wrong(key, "a list of at most " + most);
  }

  List<String> names(String key, int most) {
    return list(
        key,
        most,
        (place, value) -> {
          if (value instanceof String text && isName(text)) {
            return text;
          }
          throw new MalformedException(place, "a name", describe(value));
        });
  }

  /// Returns single-precision numbers, NaN for null.
  List<Float> floats(String key, int most) {
    return list(
        key,
        most,
        (place, value) -> {
          float number =
              switch (value) {
                case null -> Float.NaN;
                case Number number0 -> number0.floatValue();
                default -> throw new MalformedException(place, "a number", describe(value));
              };
          if (Float.isInfinite(number)) {
            throw new MalformedException(place, "a number of single precision", value);
          }
          return number;
        });
  }

  /// Returns the number at `key`, or the numbers of a list, or of a list of lists.
  ///
  /// @param shape receives the extents
  double[] array(String key, List<Integer> shape) {
    return switch (required(key)) {
      case Number number -> new double[] {number.doubleValue()};
      case Json.Numbers numbers -> {
        shape.add(numbers.size());
        yield numbers.toArray();
      }
      case List<?> rows -> matrix(key, rows, shape);
      default -> throw wrong(key, "a number, a list or a matrix");
    };
  }

  private double[] matrix(String key, List<?> rows, List<Integer> shape) {
    int width = rows.getFirst() instanceof Json.Numbers first ? first.size() : 0;
    double[] all = new double[Math.multiplyExact(rows.size(), width)];
    for (int i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof Json.Numbers row) || row.size() != width) {
        throw new MalformedException(
            "%s[%d]".formatted(place(key), i), width + " numbers", describe(rows.get(i)));
      }
      row.copyTo(all, i * width);
    }
    shape.add(rows.size());
    shape.add(width);
    return all;
  }
}
