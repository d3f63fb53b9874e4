package io.tranche.work.tuning;

import io.tranche.work.PieceCodec;
import io.tranche.work.WorkException;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A piece or a result of a search: some values, and a checkpoint.
final class TrialMessage {

  static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// Names a number that JSON cannot write, such as NaN.
  private static final String SPECIAL = "$double";

  private final String name;
  private final JsonNode values;
  private final byte[] checkpoint;

  private TrialMessage(String name, JsonNode values, byte[] checkpoint) {
    this.name = name;
    this.values = values;
    this.checkpoint = checkpoint;
  }

  /// @param checkpoint empty if there is none
  static byte[] write(ObjectNode values, byte[] checkpoint) {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeBytes(JSON.writeValueAsBytes(values), out);
          PieceCodec.writeBytes(checkpoint, out);
        });
  }

  /// @param name what to call the message in errors
  /// @throws WorkException if the bytes are not such a message
  static TrialMessage read(String name, byte[] bytes) {
    try {
      return PieceCodec.read(
          name,
          bytes,
          in ->
              new TrialMessage(
                  name, JSON.readTree(PieceCodec.readBytes(in)), PieceCodec.readBytes(in)));
    } catch (JacksonException e) {
      throw new WorkException("%s must be JSON, was %s".formatted(name, e.getOriginalMessage()), e);
    }
  }

  /// Returns the run of a piece, as text ([io.tranche.work.SentConfig]).
  ///
  /// @throws WorkException if there is none
  String run() {
    return value("the run of a trial", line -> line.required("run").stringValue());
  }

  /// Returns the iteration that a piece stops after.
  ///
  /// @throws WorkException if there is none
  int to() {
    return value("the last iteration of a piece", line -> line.required("to").intValue());
  }

  /// Returns the segment of a result.
  ///
  /// @throws WorkException if there is none
  TrialSegment segment() {
    return value("a segment of a trial", TrialSegment::read);
  }

  private <T> T value(String what, Function<JsonNode, T> reading) {
    try {
      return reading.apply(values);
    } catch (JacksonException e) {
      throw new WorkException(
          "%s must hold %s, was %s".formatted(name, what, e.getOriginalMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new WorkException("%s must hold %s, was %s".formatted(name, what, e.getMessage()), e);
    }
  }

  /// Returns the checkpoint, which is empty if there is none.
  byte[] checkpoint() {
    return checkpoint;
  }

  static JsonNode number(double value) {
    return Double.isFinite(value)
        ? JSON.getNodeFactory().numberNode(value)
        : JSON.createObjectNode().put(SPECIAL, Double.toString(value));
  }

  static double number(JsonNode node) {
    JsonNode plain = node.isObject() ? node.required(SPECIAL) : node;
    return plain.isString() ? Double.parseDouble(plain.stringValue()) : plain.doubleValue();
  }
}
