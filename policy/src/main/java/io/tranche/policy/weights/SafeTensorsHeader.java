package io.tranche.policy.weights;

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
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// The JSON header of a safetensors file.
record SafeTensorsHeader(Map<String, Entry> tensors, Map<String, String> metadata) {

  private static final String METADATA = "__metadata__";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// The position of a tensor, in bytes after the header.
  record Entry(ElementType type, List<Integer> shape, long begin, long end) {}

  static SafeTensorsHeader parse(String where, byte[] json) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      return new Parser(where, parser).header();
    } catch (JacksonException e) {
      throw new CheckpointException(where, "JSON", e.getOriginalMessage(), e);
    }
  }

  byte[] json() {
    var out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      if (!metadata.isEmpty()) {
        json.writeObjectPropertyStart(METADATA);
        metadata.forEach(json::writeStringProperty);
        json.writeEndObject();
      }
      tensors.forEach(
          (name, entry) -> {
            json.writeObjectPropertyStart(name);
            json.writeStringProperty("dtype", entry.type().safeTensorsName());
            json.writeArrayPropertyStart("shape");
            entry.shape().forEach(json::writeNumber);
            json.writeEndArray();
            json.writeArrayPropertyStart("data_offsets");
            json.writeNumber(entry.begin());
            json.writeNumber(entry.end());
            json.writeEndArray();
            json.writeEndObject();
          });
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /// Reads the header token by token; anything unexpected is an error.
  private record Parser(String where, JsonParser json) {

    SafeTensorsHeader header() {
      var tensors = new LinkedHashMap<String, Entry>();
      var metadata = new LinkedHashMap<String, String>();
      require(JsonToken.START_OBJECT);
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        require(JsonToken.START_OBJECT);
        if (name.equals(METADATA)) {
          for (String key = json.nextName(); key != null; key = json.nextName()) {
            metadata.put(key, text());
          }
        } else {
          tensors.put(name, entry(name));
        }
      }
      if (json.nextToken() != null) {
        throw bad("the end of the header", json.currentToken());
      }
      return new SafeTensorsHeader(tensors, metadata);
    }

    private Entry entry(String name) {
      ElementType type = null;
      List<Integer> shape = null;
      List<Long> offsets = null;
      for (String key = json.nextName(); key != null; key = json.nextName()) {
        switch (key) {
          case "dtype" -> type = type();
          case "shape" -> shape = Shapes.of(where + ": " + name, integers());
          case "data_offsets" -> offsets = integers();
          default -> throw bad("dtype, shape and data_offsets of " + name, key);
        }
      }
      if (type == null || shape == null || offsets == null || offsets.size() != 2) {
        throw bad("dtype, shape and two data_offsets of " + name, "others");
      }
      return new Entry(type, shape, offsets.get(0), offsets.get(1));
    }

    private ElementType type() {
      String name = text();
      ElementType type = ElementType.ofSafeTensors(name);
      if (type == null) {
        throw bad("a dtype of F32, F16, BF16, F64, I64 or I8", name);
      }
      return type;
    }

    private List<Long> integers() {
      require(JsonToken.START_ARRAY);
      var integers = new ArrayList<Long>();
      while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        integers.add(json.getLongValue());
      }
      if (json.currentToken() != JsonToken.END_ARRAY) {
        throw bad("integers", json.currentToken());
      }
      return integers;
    }

    private String text() {
      require(JsonToken.VALUE_STRING);
      return json.getString();
    }

    private void require(JsonToken expected) {
      JsonToken token = json.nextToken();
      if (token != expected) {
        throw bad(expected.toString(), token);
      }
    }

    private CheckpointException bad(String expected, @Nullable Object found) {
      return new CheckpointException(where, expected, found);
    }
  }
}
