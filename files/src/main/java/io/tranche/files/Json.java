package io.tranche.files;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/// Plain values as JSON and back: null, Boolean, String, Long, finite Double, List and Map. A long
/// stays a long, and a double stays a double.
public final class Json {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Texts hold whole tensors; their checksum and size were checked before.
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private Json() {}

  /// @throws IllegalArgumentException if a value is not one of the above, or an Integer
  public static byte[] write(@Nullable Object value) {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      write(value, json);
    }
    return out.toByteArray();
  }

  private static void write(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Boolean truth -> json.writeBoolean(truth);
      case String text -> json.writeString(text);
      case Integer number -> json.writeNumber(number.longValue());
      case Long number -> json.writeNumber(number.longValue());
      case Double number when Double.isFinite(number) -> json.writeNumber(number.doubleValue());
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(item -> write(item, json));
        json.writeEndArray();
      }
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach(
            (key, item) -> {
              json.writeName((String) key);
              write(item, json);
            });
        json.writeEndObject();
      }
      default ->
          throw new IllegalArgumentException(
              "value must be a plain value, was " + value.getClass().getName());
    }
  }

  /// @param where the name of the bytes in errors
  /// @throws DamagedFileException if they are not one JSON value
  public static @Nullable Object read(String where, byte[] bytes) throws DamagedFileException {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      json.nextToken();
      Object root = value(where, json);
      if (json.nextToken() != null) {
        throw new DamagedFileException(where, "the end of the state", json.currentToken());
      }
      return root;
    } catch (JacksonException e) {
      throw new DamagedFileException(where, "JSON", e.getOriginalMessage(), e);
    }
  }

  private static @Nullable Object value(String where, JsonParser json) throws DamagedFileException {
    JsonToken token = json.currentToken();
    return switch (token) {
      case null -> throw new DamagedFileException(where, "a value", "the end");
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case START_ARRAY -> {
        var list = new ArrayList<@Nullable Object>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(where, json));
        }
        yield list;
      }
      case START_OBJECT -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (String name = json.nextName(); name != null; name = json.nextName()) {
          json.nextToken();
          map.put(name, value(where, json));
        }
        yield map;
      }
      default -> throw new DamagedFileException(where, "a value", token);
    };
  }
}
