package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.LayersConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layers;

/// [io.tranche.policy.network.LayersNetwork]: layers over the ticks of today, [n, B, H] each.
///
/// When streamed, each layer that looks back has a state of its own, named after the layer, such as
/// `day.2_hidden`; all begin with zeros, keys and values with no rows.
///
/// @param width of the last output
record LayersDay(Layers.Sequence layers, int dataWidth, int width) implements DayGraph {

  private static final String NAME = "day";

  /// @throws io.tranche.config.ConfigException if a layer is not one of ours
  static LayersDay of(LayersConfig config, int dataWidth) {
    var all = new Layers.Sequence(config.layers());
    LayerNodes.requireKnown(all);
    return new LayersDay(all, dataWidth, all.create(new Weights(), NAME, dataWidth).outputs());
  }

  @Override
  public String whole(OnnxLayers graph, String tick) {
    String today = graph.graph().input(TODAY, FLOAT, BATCH, TICKS, Size.of(dataWidth));
    String x = new LayerNodes(graph, false).add(layers, NAME, graph.behindZeros(today), dataWidth);
    return graph.at(x, tick);
  }

  @Override
  public String tick(OnnxLayers graph) {
    String row = graph.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth));
    String x = new LayerNodes(graph, true).add(layers, NAME, graph.unsqueeze(row, 0), dataWidth);
    return graph.squeeze(x, 0);
  }
}
