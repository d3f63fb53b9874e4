package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;

/// The part of a network that encodes the market, as nodes: one row of numbers for each
/// observation, which depends on its day up to its tick.
interface DayGraph {

  /// Features of today, as Qlib calls them.
  String TODAY = "data_processed";

  /// Features of yesterday, as Qlib calls them.
  String YESTERDAY = "data_processed_prev";

  /// Features of the newest tick.
  String ROW = "row";

  /// The prefix of the name of a state that is an output.
  String NEXT = "next_";

  String KEYS = "keys";
  String VALUES = "values";

  Size TICKS = Size.any("ticks");

  /// The number of rows that a state has seen before a tick, including the row of zeros, and after
  /// it.
  Size SEEN_ROWS = Size.any("rows");

  Size NEXT_ROWS = Size.any("next_rows");

  /// Returns the encoder of the network that `factory` makes.
  static DayGraph of(DayNetworkFactory<?> factory) {
    return switch (factory.config()) {
      case RecurrentConfig config -> new RecurrentDay(config, factory.dataWidth());
      case DualAttentionConfig config -> new DualAttentionDay(config, factory.dataWidth());
      case TransformerConfig config -> new TransformerDay(config, factory.dataWidth());
      case LayersConfig config -> LayersDay.of(config, factory.dataWidth());
    };
  }

  /// Returns the number of values per observation.
  int width();

  /// Adds inputs for whole days, and returns the encoding at each observation's tick, [B, width].
  ///
  /// @param layers of the graph to add to
  /// @param tick the current tick of each observation, [B]
  String whole(OnnxLayers layers, String tick);

  /// Adds inputs for a row and the state before it, and outputs for the state after it; returns the
  /// encoding, [B, width].
  String tick(OnnxLayers layers);

  /// Adds the inputs and outputs of the part that is computed once, before a day begins.
  ///
  /// @return whether there is any
  default boolean opening(OnnxLayers layers) {
    return false;
  }

  /// [io.tranche.policy.network.Recurrent]: recurrent layers over the ticks of today.
  record RecurrentDay(RecurrentConfig config, int dataWidth) implements DayGraph {

    @Override
    public int width() {
      return config.hidden();
    }

    private SequenceGraph ticks(OnnxLayers layers) {
      return SequenceGraph.behindLinear(
          layers, "raw_", config.type(), config.hidden(), config.depth());
    }

    @Override
    public String whole(OnnxLayers layers, String tick) {
      String today = layers.graph().input(TODAY, FLOAT, BATCH, TICKS, Size.of(dataWidth));
      return layers.at(ticks(layers).over(layers.behindZeros(today)), tick);
    }

    @Override
    public String tick(OnnxLayers layers) {
      return ticks(layers).step(layers.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth)), "");
    }
  }
}
