package io.tranche.serving.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Values of JSON: how they are told in errors, and those that are read and written alike wherever
/// they are.
final class JsonValues {

  /// The longest id and name.
  static final int MAX_NAME = 200;

  private JsonValues() {}

  static String describe(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "an object";
      case List<?> _ -> "a list";
      case StrictJson.Numbers _ -> "a list of numbers";
      case String text -> "'" + text + "'";
      default -> value.toString();
    };
  }

  static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MAX_NAME;
  }

  static String name(String place, @Nullable Object value) {
    if (value instanceof String text && isName(text)) {
      return text;
    }
    throw new MalformedException(place, "a name", describe(value));
  }

  static float single(String place, @Nullable Object value) {
    float number =
        switch (value) {
          case null -> Float.NaN;
          case Number each -> each.floatValue();
          default -> throw new MalformedException(place, "a number", describe(value));
        };
    if (Float.isInfinite(number)) {
      throw new MalformedException(place, "a number of single precision", String.valueOf(value));
    }
    return number;
  }

  static void writePlain(JsonGenerator out, String key, Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        out.writeObjectPropertyStart(key);
        map.forEach(
            (name, each) -> {
              if (each != null) {
                writePlain(out, name.toString(), each);
              }
            });
        out.writeEndObject();
      }
      case Double number -> out.writeNumberProperty(key, number);
      case Integer number -> out.writeNumberProperty(key, number);
      default -> out.writeStringProperty(key, value.toString());
    }
  }

  static Map<String, Object> plain(String place, Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new MalformedException(place, "an object", describe(value));
    }
    var read = new LinkedHashMap<String, Object>();
    map.forEach(
        (name, each) -> {
          String key = place + "." + name;
          switch (each) {
            case Map<?, ?> _ -> read.put(name.toString(), plain(key, each));
            case String _, Number _ -> read.put(name.toString(), each);
            case null, default ->
                throw new MalformedException(key, "a text, a number or an object", describe(each));
          }
        });
    return read;
  }
}
