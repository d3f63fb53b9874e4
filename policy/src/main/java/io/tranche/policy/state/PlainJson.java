package io.tranche.policy.state;

import io.tranche.env.space.Value;
import io.tranche.files.DamagedFileException;
import io.tranche.files.Json;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Writes plain values as JSON and reads them back unchanged: a long stays a long, a double stays a
/// double.
///
/// A value that JSON cannot express becomes an object with one name: `{"$double": "NaN"}`, or for
/// an array `{"$floats": ["FLOAT32", [2], [1.0, 2.0]]}`. No other name may begin with `$`.
public final class PlainJson {

  private static final String DOUBLE = "$double";
  private static final String FLOATS = "$floats";
  private static final String INTEGERS = "$integers";

  private PlainJson() {}

  /// @throws IllegalArgumentException if it contains anything but plain values
  public static byte[] write(Map<String, ? extends @Nullable Object> state) {
    return Json.write(encoded("state", state));
  }

  private static @Nullable Object encoded(String path, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean _, String _, Integer _, Long _ -> value;
      case Double number -> Double.isFinite(number) ? number : Map.of(DOUBLE, number.toString());
      case Value.Plain(var leaf) -> encoded(path, leaf);
      case Value.Dict(var entries) -> encoded(path, entries);
      case Value.Tuple(var items) -> encoded(path, items);
      case Value.Floats array ->
          array(
              FLOATS,
              array.type(),
              array.shape(),
              IntStream.range(0, array.size()).mapToObj(i -> encoded(path, array.at(i))).toList());
      case Value.Integers array ->
          array(
              INTEGERS,
              array.type(),
              array.shape(),
              IntStream.range(0, array.size()).mapToObj(array::at).toList());
      case Map<?, ?> map -> object(path, map);
      case List<?> list -> {
        var items = new ArrayList<@Nullable Object>();
        for (Object item : list) {
          items.add(encoded(path + "[" + items.size() + "]", item));
        }
        yield items;
      }
      default ->
          throw new IllegalArgumentException(
              "%s must be a plain value, was a %s".formatted(path, value.getClass().getName()));
    };
  }

  private static Map<String, @Nullable Object> object(String path, Map<?, ?> map) {
    var entries = new LinkedHashMap<String, @Nullable Object>();
    map.forEach(
        (key, item) -> {
          if (!(key instanceof String name) || name.startsWith("$")) {
            throw new IllegalArgumentException(
                "%s must have texts as keys that do not begin with $, was %s".formatted(path, key));
          }
          entries.put(name, encoded(path + "." + name, item));
        });
    return entries;
  }

  private static Map<String, Object> array(
      String kind, Value.ElementType type, List<Integer> shape, List<?> elements) {
    return Map.of(kind, List.of(type.name(), shape, elements));
  }

  /// @param where the name of the bytes in error messages
  /// @throws CheckpointException if they are not what [#write] returns
  public static Map<String, @Nullable Object> read(String where, byte[] bytes) {
    try {
      return new Fields(where, decoded(where, Json.read(where, bytes))).map();
    } catch (DamagedFileException e) {
      throw CheckpointException.of(e);
    }
  }

  private static @Nullable Object decoded(String where, @Nullable Object value) {
    if (value instanceof List<?> list) {
      var items = new ArrayList<@Nullable Object>();
      list.forEach(item -> items.add(decoded(where, item)));
      return items;
    }
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    var entries = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, item) -> entries.put(String.valueOf(key), decoded(where, item)));
    String first = entries.isEmpty() ? "" : entries.keySet().iterator().next();
    return first.startsWith("$") ? special(where, first, entries.get(first)) : entries;
  }

  private static Object special(String where, String name, @Nullable Object content) {
    var fields = new Fields(where + ": " + name, content);
    return switch (name) {
      case DOUBLE -> fields.number();
      case FLOATS ->
          new Value.Floats(
              type(fields),
              shape(fields),
              fields.item(2).list().stream()
                  .mapToDouble(item -> new Fields(where, item).number())
                  .toArray());
      case INTEGERS ->
          new Value.Integers(
              type(fields),
              shape(fields),
              fields.item(2).list().stream()
                  .mapToLong(item -> new Fields(where, item).count())
                  .toArray());
      default -> throw new CheckpointException(where, "a known kind of value", name);
    };
  }

  private static Value.ElementType type(Fields fields) {
    String name = fields.item(0).text();
    return Arrays.stream(Value.ElementType.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new CheckpointException(fields.where(), "an element type", name));
  }

  /// Returns the shape after checking that it has as many elements as given.
  private static List<Integer> shape(Fields fields) {
    var shape = new ArrayList<Integer>();
    long elements = 1;
    int size = fields.item(2).list().size();
    for (Object extent : fields.item(1).list()) {
      long each = new Fields(fields.where(), extent).count();
      elements *= each;
      if (each < 0 || each > Integer.MAX_VALUE || elements > Integer.MAX_VALUE) {
        throw new CheckpointException(fields.where(), "a dimension", each);
      }
      shape.add((int) each);
    }
    if (elements != size) {
      throw new CheckpointException(fields.where(), shape + " elements", size);
    }
    return shape;
  }
}
