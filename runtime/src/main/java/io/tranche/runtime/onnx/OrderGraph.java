package io.tranche.runtime.onnx;

import org.jspecify.annotations.Nullable;

/// The part of a network that reads the order, as nodes.
interface OrderGraph {

  /// Adds inputs for all decisions of an order so far, and returns the features.
  ///
  /// @param day [B, width]; null for a network that does not read the day
  String whole(OnnxLayers layers, @Nullable String day);

  /// Adds inputs for one decision and the state before it, and outputs for the state after it;
  /// returns the features.
  ///
  /// @param day [B, width]; null for a network that does not read the day
  String one(OnnxLayers layers, @Nullable String day);
}
