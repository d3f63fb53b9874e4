package io.tranche.conformance;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The actual or expected outcome of a case.
sealed interface Outcome {

  /// Returns its text in reports.
  String text();

  /// @param value without an `error` that is null, which only means that there is a value
  record Value(JsonNode value) implements Outcome {
    public Value {
      if (value instanceof ObjectNode object && object.path("error").isNull()) {
        value = object.deepCopy().without("error");
      }
    }

    @Override
    public String text() {
      return Report.shortened(value.toString());
    }
  }

  /// A named exception of ours; in golden files, any error of Qlib's.
  record Refusal(String text) implements Outcome {}

  /// An exception that was not thrown on purpose.
  record Crash(String text) implements Outcome {}
}
