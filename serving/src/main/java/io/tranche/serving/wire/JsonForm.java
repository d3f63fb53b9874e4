package io.tranche.serving.wire;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A JSON object that is being written or read. One description of a record serves both directions:
/// each method writes its part of `of` and returns it; if `of` is null, it reads and checks that
/// part instead, and errors name its place.
public final class JsonForm {

  /// Describes a record: its properties, in the order of the JSON.
  @FunctionalInterface
  public interface Shape<E> {

    /// @param of what is written; null when reading
    /// @return what was written or read
    E transfer(JsonForm form, @Nullable E of);
  }

  private final @Nullable JsonGenerator out;
  private final String where;
  private final boolean isStrict;
  private final Map<?, ?> entries;
  private final Set<String> known;

  private JsonForm(JsonGenerator out) {
    this.out = out;
    this.where = "";
    this.isStrict = false;
    this.entries = Map.of();
    this.known = Set.of();
  }

  private JsonForm(String where, boolean isStrict, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new MalformedException(
          where.isEmpty() ? "body" : where, "an object", JsonValues.describe(value));
    }
    this.out = null;
    this.where = where;
    this.isStrict = isStrict;
    this.entries = map;
    this.known = new HashSet<>();
  }

  public static <E> byte[] write(E value, Shape<E> shape) {
    return StrictJson.writeObject(json -> shape.transfer(new JsonForm(json), value));
  }

  /// Reads an object, whatever other keys it has.
  ///
  /// @param body as [StrictJson#read] returns it
  /// @throws MalformedException if it is not what `shape` describes
  public static <E> E read(@Nullable Object body, Shape<E> shape) {
    return read("", false, body, shape);
  }

  /// Reads an object that has no other keys than `shape` describes.
  public static <E> E readStrictly(@Nullable Object body, Shape<E> shape) {
    return read("", true, body, shape);
  }

  private static <E> E read(
      String where, boolean isStrict, @Nullable Object value, Shape<E> shape) {
    var form = new JsonForm(where, isStrict, value);
    E made = shape.transfer(form, null);
    if (isStrict) {
      form.rejectUnknown();
    }
    return made;
  }

  private void rejectUnknown() {
    for (Object key : entries.keySet()) {
      if (key instanceof String name && !known.contains(name)) {
        throw new MalformedException(place(name), "a known key", "unknown");
      }
    }
  }

  JsonGenerator out() {
    return Objects.requireNonNull(out, "a form that reads does not write");
  }

  String place(String key) {
    return where.isEmpty() ? key : where + "." + key;
  }

  boolean has(String key) {
    known.add(key);
    return entries.get(key) != null;
  }

  Object required(String key) {
    known.add(key);
    Object value = entries.get(key);
    if (value == null) {
      throw new MalformedException(
          place(key), "a value", entries.containsKey(key) ? "null" : "missing");
    }
    return value;
  }

  MalformedException wrong(String key, String expected) {
    return new MalformedException(place(key), expected, JsonValues.describe(entries.get(key)));
  }

  private String write(String key, String value) {
    out().writeStringProperty(key, value);
    return value;
  }

  /// A text that is an id or a name.
  <T> String name(String key, @Nullable T of, Function<T, String> part) {
    if (of != null) {
      return write(key, part.apply(of));
    }
    if (required(key) instanceof String text && JsonValues.isName(text)) {
      return text;
    }
    throw wrong(
        key,
        "a text of 1 to %d characters without control characters".formatted(JsonValues.MAX_NAME));
  }

  /// A name that is left out if there is none.
  <T> @Nullable String nameIfAny(String key, @Nullable T of, Function<T, @Nullable String> part) {
    if (of == null) {
      return has(key) ? name(key, null, Object::toString) : null;
    }
    String value = part.apply(of);
    return value == null ? null : write(key, value);
  }

  /// A name that is null if there is none.
  <T> @Nullable String nameOrNull(String key, @Nullable T of, Function<T, @Nullable String> part) {
    String value = nameIfAny(key, of, part);
    if (of != null && value == null) {
      out().writeNullProperty(key);
    }
    return value;
  }

  /// Any text.
  <T> String text(String key, @Nullable T of, Function<T, String> part) {
    if (of != null) {
      return write(key, part.apply(of));
    }
    if (required(key) instanceof String text) {
      return text;
    }
    throw wrong(key, "a text");
  }

  private String text(String key) {
    return text(key, null, Object::toString);
  }

  double number(String key) {
    if (required(key) instanceof Number number) {
      return number.doubleValue();
    }
    throw wrong(key, "a number");
  }

  <T> double number(String key, @Nullable T of, ToDoubleFunction<T> part) {
    if (of == null) {
      return number(key);
    }
    double value = part.applyAsDouble(of);
    out().writeNumberProperty(key, value);
    return value;
  }

  /// A number, null for NaN.
  <T> double numberOrNan(String key, @Nullable T of, ToDoubleFunction<T> part) {
    if (of == null) {
      return has(key) ? number(key) : Double.NaN;
    }
    double value = part.applyAsDouble(of);
    if (Double.isNaN(value)) {
      out().writeNullProperty(key);
    } else {
      out().writeNumberProperty(key, value);
    }
    return value;
  }

  /// A number that is left out if there is none.
  <T> @Nullable Double numberIfAny(String key, @Nullable T of, Function<T, @Nullable Double> part) {
    Double value = of == null ? null : part.apply(of);
    if (of == null ? !has(key) : value == null) {
      return null;
    }
    return number(key, value, Double::doubleValue);
  }

  /// A time that is left out if there is none.
  <T> @Nullable LocalDateTime timeIfAny(
      String key, @Nullable T of, Function<T, @Nullable LocalDateTime> part) {
    LocalDateTime value = of == null ? null : part.apply(of);
    if (of == null ? !has(key) : value == null) {
      return null;
    }
    return time(key, value, Function.identity());
  }

  long whole(String key, long low, long high) {
    if (required(key) instanceof Long number && number >= low && number <= high) {
      return number;
    }
    throw wrong(key, "a whole number in [%d, %d]".formatted(low, high));
  }

  <T> long whole(String key, long low, long high, @Nullable T of, ToLongFunction<T> part) {
    if (of == null) {
      return whole(key, low, high);
    }
    long value = part.applyAsLong(of);
    out().writeNumberProperty(key, value);
    return value;
  }

  /// A whole number that is left out if there is none.
  <T> @Nullable Long wholeIfAny(
      String key, long low, long high, @Nullable T of, Function<T, @Nullable Number> part) {
    if (of == null) {
      return has(key) ? (Long) whole(key, low, high) : null;
    }
    Number value = part.apply(of);
    if (value == null) {
      return null;
    }
    out().writeNumberProperty(key, value.longValue());
    return value.longValue();
  }

  <T> boolean truth(String key, @Nullable T of, Predicate<T> part) {
    if (of != null) {
      boolean value = part.test(of);
      out().writeBooleanProperty(key, value);
      return value;
    }
    if (required(key) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(key, "true or false");
  }

  <T> LocalDate date(String key, @Nullable T of, Function<T, LocalDate> part) {
    return parsed(key, of, part, LocalDate::parse, "a date such as 2026-01-31");
  }

  /// A date that is left out if there is none.
  <T> @Nullable LocalDate dateIfAny(
      String key, @Nullable T of, Function<T, @Nullable LocalDate> part) {
    LocalDate value = of == null ? null : part.apply(of);
    if (of == null ? !has(key) : value == null) {
      return null;
    }
    return date(key, value, Function.identity());
  }

  <T> LocalDateTime time(String key, @Nullable T of, Function<T, LocalDateTime> part) {
    return parsed(key, of, part, LocalDateTime::parse, "a local time such as 2026-01-31T09:30:00");
  }

  private <T, V> V parsed(
      String key, @Nullable T of, Function<T, V> part, Function<String, V> parse, String expected) {
    if (of != null) {
      V value = part.apply(of);
      write(key, String.valueOf(value));
      return value;
    }
    try {
      return parse.apply(text(key));
    } catch (DateTimeException _) {
      throw wrong(key, expected);
    }
  }

  /// A constant, by its name in lower case.
  <T, E extends Enum<E>> E choice(String key, Class<E> type, @Nullable T of, Function<T, E> part) {
    if (of != null) {
      E value = part.apply(of);
      write(key, StrictJson.nameOf(value));
      return value;
    }
    String text = text(key);
    for (E each : type.getEnumConstants()) {
      if (StrictJson.nameOf(each).equals(text)) {
        return each;
      }
    }
    throw wrong(
        key, "one of " + Arrays.stream(type.getEnumConstants()).map(StrictJson::nameOf).toList());
  }

  <T, E> E object(String key, @Nullable T of, Function<T, E> part, Shape<E> shape) {
    if (of == null) {
      return read(place(key), isStrict, required(key), shape);
    }
    out().writeObjectPropertyStart(key);
    E value = shape.transfer(this, part.apply(of));
    out().writeEndObject();
    return value;
  }

  /// An object of texts, numbers and such objects, left out if it is empty.
  <T> Map<String, Object> plain(String key, @Nullable T of, Function<T, Map<String, Object>> part) {
    if (of == null) {
      return has(key) ? JsonValues.plain(place(key), required(key)) : Map.of();
    }
    Map<String, Object> value = part.apply(of);
    if (!value.isEmpty()) {
      JsonValues.writePlain(out(), key, value);
    }
    return value;
  }

  /// A list of at most `most` objects.
  <T, E> List<E> list(
      String key, int most, @Nullable T of, Function<T, List<E>> part, Shape<E> shape) {
    if (of == null) {
      return items(key, most, (place, value) -> read(place, isStrict, value, shape));
    }
    return writeAll(
        key,
        part.apply(of),
        each -> {
          out().writeStartObject();
          shape.transfer(this, each);
          out().writeEndObject();
        });
  }

  private <E> List<E> writeAll(String key, List<E> values, Consumer<E> writer) {
    out().writeArrayPropertyStart(key);
    values.forEach(writer);
    out().writeEndArray();
    return values;
  }

  private <T> List<T> items(String key, int most, BiFunction<String, @Nullable Object, T> item) {
    List<T> made = new ArrayList<>();
    if (required(key) instanceof List<?> items && items.size() <= most) {
      for (int i = 0; i < items.size(); i++) {
        made.add(item.apply("%s[%d]".formatted(place(key), i), items.get(i)));
      }
      return made;
    }
    if (entries.get(key) instanceof StrictJson.Numbers numbers && numbers.size() <= most) {
      for (int i = 0; i < numbers.size(); i++) {
        made.add(item.apply("%s[%d]".formatted(place(key), i), numbers.at(i)));
      }
      return made;
    }
    throw wrong(key, "a list of at most " + most);
  }

  <T> List<String> names(String key, int most, @Nullable T of, Function<T, List<String>> part) {
    if (of == null) {
      return items(key, most, JsonValues::name);
    }
    return writeAll(key, part.apply(of), out()::writeString);
  }

  /// Single-precision numbers, null for NaN.
  <T> List<Float> floats(String key, int most, @Nullable T of, Function<T, List<Float>> part) {
    if (of == null) {
      return items(key, most, JsonValues::single);
    }
    return writeAll(
        key,
        part.apply(of),
        value -> {
          if (value.isNaN()) {
            out().writeNull();
          } else {
            out().writeNumber(value);
          }
        });
  }
}
