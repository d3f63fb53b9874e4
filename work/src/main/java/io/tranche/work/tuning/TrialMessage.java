package io.tranche.work.tuning;

import io.tranche.work.PieceCodec;
import io.tranche.work.WorkException;
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

  private final JsonNode values;
  private final byte[] checkpoint;

  private TrialMessage(JsonNode values, byte[] checkpoint) {
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
              new TrialMessage(JSON.readTree(PieceCodec.readBytes(in)), PieceCodec.readBytes(in)));
    } catch (JacksonException e) {
      throw new WorkException("%s must be JSON, was %s".formatted(name, e.getOriginalMessage()), e);
    }
  }

  JsonNode values() {
    return values;
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
