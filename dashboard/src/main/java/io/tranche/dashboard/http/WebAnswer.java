package io.tranche.dashboard.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/// What a browser gets.
public final class WebAnswer {

  /// Numbers that JSON does not have are null.
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(Double.class, new NumberWriter())
                  .addSerializer(double.class, new NumberWriter())
                  .addSerializer(Float.class, new SingleWriter())
                  .addSerializer(double[].class, new NumbersWriter()))
          .build();

  private final int status;
  private final String type;
  private final byte[] body;

  private WebAnswer(int status, String type, byte[] body) {
    this.status = status;
    this.type = type;
    this.body = body;
  }

  /// @param value maps, lists, arrays, records, texts and numbers
  public static WebAnswer json(@Nullable Object value) {
    return new WebAnswer(200, "application/json", JSON.writeValueAsBytes(value));
  }

  /// Returns JSON that is already text.
  public static WebAnswer jsonText(String text) {
    return new WebAnswer(200, "application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  static WebAnswer file(String type, byte[] body) {
    return new WebAnswer(200, type, body);
  }

  static WebAnswer error(int status, String message) {
    return new WebAnswer(
        status, "application/json", JSON.writeValueAsBytes(Map.of("message", message)));
  }

  int status() {
    return status;
  }

  String type() {
    return type;
  }

  byte[] body() {
    return body;
  }

  private static void write(double number, JsonGenerator json) {
    if (Double.isFinite(number)) {
      json.writeNumber(number);
    } else {
      json.writeNull();
    }
  }

  private static final class NumberWriter extends StdSerializer<Double> {

    NumberWriter() {
      super(Double.class);
    }

    @Override
    public void serialize(Double number, JsonGenerator json, SerializationContext context) {
      write(number, json);
    }
  }

  private static final class SingleWriter extends StdSerializer<Float> {

    SingleWriter() {
      super(Float.class);
    }

    @Override
    public void serialize(Float number, JsonGenerator json, SerializationContext context) {
      if (Float.isFinite(number)) {
        json.writeNumber(number);
      } else {
        json.writeNull();
      }
    }
  }

  private static final class NumbersWriter extends StdSerializer<double[]> {

    NumbersWriter() {
      super(double[].class);
    }

    @Override
    public void serialize(double[] numbers, JsonGenerator json, SerializationContext context) {
      json.writeStartArray();
      for (double number : numbers) {
        write(number, json);
      }
      json.writeEndArray();
    }
  }
}
