package io.tranche.onnx;

import java.util.List;

/// What a streaming graph keeps from one decision to the next: one tensor for each of its states.
/// Immutable.
record GraphState(List<Part> parts) {

  static final GraphState NONE = new GraphState(List.of());

  /// @param values must not change
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Part(long[] shape, float[] values) {}

  GraphState {
    parts = List.copyOf(parts);
  }
}
