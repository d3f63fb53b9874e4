package io.tranche.serving.wire;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/// Strict JSON: no duplicate keys, no NaN or infinity, nothing after the end, limited depth and
/// length.
public final class StrictJson {

  private static final int MAX_DEPTH = 8;
  private static final int MAX_TEXT = 4096;
  private static final int MAX_DIGITS = 40;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(100)
                  .maxNumberLength(MAX_DIGITS)
                  .build())
          .build();

  private StrictJson() {}

  /// Returns the name of an enum constant on the wire: in lower case.
  public static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public static byte[] writeObject(Consumer<JsonGenerator> properties) {
    var out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      properties.accept(json);
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /// Reads one value: null, Boolean, Long, Double, String, [Numbers] for an array that holds only
  /// numbers, List or Map.
  ///
  /// @throws MalformedException if the bytes are anything else
  public static @Nullable Object read(byte[] bytes) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      json.nextToken();
      Object value = value(json);
      if (json.nextToken() != null) {
        throw new MalformedException("body", "one JSON value", "more");
      }
      return value;
    } catch (StreamConstraintsException _) {
      throw new MalformedException(
          "body",
          "JSON of depth %d, texts of %d and numbers of %d characters at most"
              .formatted(MAX_DEPTH, MAX_TEXT, MAX_DIGITS),
          "more");
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw new MalformedException(
          "body",
          "JSON without duplicate keys and NaN",
          at == null ? "something else" : "something else at byte " + at.getByteOffset());
    }
  }

  private static @Nullable Object value(JsonParser json) {
    JsonToken token = json.currentToken();
    return switch (token) {
      case null -> throw new MalformedException("body", "a JSON value", "nothing");
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(json);
      case START_ARRAY -> array(json);
      case START_OBJECT -> object(json);
      default -> throw new MalformedException("body", "a JSON value", token);
    };
  }

  private static Object number(JsonParser json) {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return json.getLongValue();
    }
    double number = json.getDoubleValue();
    if (!Double.isFinite(number)) {
      throw new MalformedException("body", "finite numbers", number);
    }
    return number;
  }

  private static Object object(JsonParser json) {
    var entries = new LinkedHashMap<String, @Nullable Object>();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      json.nextToken();
      entries.put(name, value(json));
    }
    return entries;
  }

  /// Arrays of numbers are not boxed, because observations have thousands of them.
  private static Object array(JsonParser json) {
    var numbers = new Numbers();
    JsonToken token = json.nextToken();
    while (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
      numbers.add(((Number) number(json)).doubleValue());
      token = json.nextToken();
    }
    if (token == JsonToken.END_ARRAY) {
      return numbers;
    }
    List<@Nullable Object> items = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      items.add(numbers.at(i));
    }
    for (; token != JsonToken.END_ARRAY; token = json.nextToken()) {
      items.add(value(json));
    }
    return items;
  }

  /// An array of numbers.
  static final class Numbers {
    private double[] values = new double[8];
    private int size;

    private void add(double value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    int size() {
      return size;
    }

    double at(int index) {
      return values[index];
    }

    double[] toArray() {
      return Arrays.copyOf(values, size);
    }

    void copyTo(double[] target, int at) {
      System.arraycopy(values, 0, target, at, size);
    }
  }
}
