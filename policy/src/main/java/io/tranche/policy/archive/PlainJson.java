package io.tranche.policy.archive;

import io.tranche.env.space.Value;
import io.tranche.policy.weights.CheckpointException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// Plain values as JSON and back, value by value equal: a long stays a long, a double a double.
///
/// What JSON cannot say is an object with one name that begins with `$`: `{"$double": "NaN"}`, or
/// an array as `{"$floats": ["FLOAT32", [2], [1.0, 2.0]]}`. Other names must not begin so.
public final class PlainJson {

  private static final String DOUBLE = "$double";
  private static final String FLOATS = "$floats";
  private static final String INTEGERS = "$integers";

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Texts hold whole tensors; what is read was held against its checksum and size before.
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private PlainJson() {}

  /// @throws IllegalArgumentException if something in it is no plain value
  public static byte[] write(Map<String, ? extends @Nullable Object> state) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      write("state", state, json);
    }
    return out.toByteArray();
  }

  private static void write(String path, @Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Boolean truth -> json.writeBoolean(truth);
      case String text -> json.writeString(text);
      case Integer number -> json.writeNumber(number.longValue());
      case Long number -> json.writeNumber(number.longValue());
      case Double number when Double.isFinite(number) -> json.writeNumber(number.doubleValue());
      case Double number -> special(DOUBLE, json, () -> json.writeString(number.toString()));
      case Value.Plain(var leaf) -> write(path, leaf, json);
      case Value.Dict(var entries) -> write(path, entries, json);
      case Value.Tuple(var items) -> write(path, items, json);
      case Value.Floats array ->
          special(
              FLOATS,
              json,
              () ->
                  array(
                      array.type(),
                      array.shape(),
                      array.size(),
                      i -> write(path, array.at(i), json),
                      json));
      case Value.Integers array ->
          special(
              INTEGERS,
              json,
              () ->
                  array(
                      array.type(),
                      array.shape(),
                      array.size(),
                      i -> json.writeNumber(array.at(i)),
                      json));
      case Map<?, ?> map -> object(path, map, json);
      case List<?> list -> {
        json.writeStartArray();
        for (int i = 0; i < list.size(); i++) {
          write(path + "[" + i + "]", list.get(i), json);
        }
        json.writeEndArray();
      }
      default ->
          throw new IllegalArgumentException(
              "%s must be a plain value, was a %s".formatted(path, value.getClass().getName()));
    }
  }

  private static void object(String path, Map<?, ?> map, JsonGenerator json) {
    json.writeStartObject();
    map.forEach(
        (key, item) -> {
          if (!(key instanceof String name) || name.startsWith("$")) {
            throw new IllegalArgumentException(
                "%s must have texts as keys that do not begin with $, was %s".formatted(path, key));
          }
          json.writeName(name);
          write(path + "." + name, item, json);
        });
    json.writeEndObject();
  }

  private static void special(String name, JsonGenerator json, Runnable content) {
    json.writeStartObject();
    json.writeName(name);
    content.run();
    json.writeEndObject();
  }

  private static void array(
      Value.ElementType type,
      List<Integer> shape,
      int size,
      IntConsumer element,
      JsonGenerator json) {
    json.writeStartArray();
    json.writeString(type.name());
    json.writeStartArray();
    shape.forEach(json::writeNumber);
    json.writeEndArray();
    json.writeStartArray();
    for (int i = 0; i < size; i++) {
      element.accept(i);
    }
    json.writeEndArray();
    json.writeEndArray();
  }

  /// @param where what to call the bytes in errors
  /// @throws CheckpointException if they are not what [#write] returns
  public static Map<String, @Nullable Object> read(String where, byte[] bytes) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      json.nextToken();
      Object root = new Reader(where, json).value();
      if (json.nextToken() != null) {
        throw new CheckpointException(where, "the end of the state", json.currentToken());
      }
      return new Fields(where, root).map();
    } catch (JacksonException e) {
      throw new CheckpointException(where, "JSON", e.getOriginalMessage(), e);
    }
  }

  private record Reader(String where, JsonParser json) {

    @Nullable Object value() {
      JsonToken token = json.currentToken();
      return switch (token) {
        case null -> throw new CheckpointException(where, "a value", "the end");
        case VALUE_NULL -> null;
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        case VALUE_STRING -> json.getString();
        case VALUE_NUMBER_INT -> json.getLongValue();
        case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
        case START_ARRAY -> {
          var list = new ArrayList<@Nullable Object>();
          while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value());
          }
          yield list;
        }
        case START_OBJECT -> object();
        default -> throw new CheckpointException(where, "a value", token);
      };
    }

    private @Nullable Object object() {
      var map = new LinkedHashMap<String, @Nullable Object>();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        map.put(name, value());
      }
      String first = map.isEmpty() ? "" : map.keySet().iterator().next();
      return first.startsWith("$") ? special(first, map.get(first)) : map;
    }

    private Object special(String name, @Nullable Object content) {
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

    /// Returns the shape, which the elements fill.
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
}
