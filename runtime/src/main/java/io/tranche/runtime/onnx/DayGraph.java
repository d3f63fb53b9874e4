package io.tranche.runtime.onnx;

import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;

/// How a network sees the market, as nodes: a row of numbers for each observation, of its day up to
/// its tick.
interface DayGraph {

  /// Features of today, as Qlib calls them.
  String TODAY = "data_processed";

  /// Features of yesterday, as Qlib calls them.
  String YESTERDAY = "data_processed_prev";

  /// Features of the newest tick.
  String ROW = "row";

  /// What the name of a state begins with where it comes out.
  String NEXT = "next_";

  String KEYS = "keys";
  String VALUES = "values";

  Size TICKS = Size.any("ticks");

  /// How many rows a state has seen before a tick, the row of zeros included, and behind it.
  Size SEEN_ROWS = Size.any("rows");

  Size NEXT_ROWS = Size.any("next_rows");

  /// Returns how the network that `factory` makes sees the market.
  static DayGraph of(DayNetworkFactory<?> factory) {
    return switch (factory.config()) {
      case RecurrentConfig config -> new RecurrentDay(config, factory.dataWidth());
      case DualAttentionConfig config -> new DualAttentionDay(config, factory.dataWidth());
      case TransformerConfig config -> new TransformerDay(config, factory.dataWidth());
    };
  }

  /// Returns how many numbers an observation gets.
  int width();

  /// Adds inputs for whole days, and returns what is read at each observation's tick, [B, width].
  ///
  /// @param layers over the graph to add to
  /// @param tick the current one of each observation, [B]
  String whole(OnnxLayers layers, String tick);

  /// Adds inputs for a row and for the state before it and outputs for the state behind it, and
  /// returns what is read then, [B, width].
  String tick(OnnxLayers layers);

  /// Adds the inputs and outputs of whatever is worked out once, before a day begins.
  ///
  /// @return whether there is anything
  default boolean opening(OnnxLayers layers) {
    return false;
  }
}
