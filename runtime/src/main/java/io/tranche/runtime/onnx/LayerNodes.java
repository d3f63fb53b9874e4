package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.config.ConfigException;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.ArrayList;
import java.util.List;

/// Adds layers to a graph.
///
/// @param streams whether each is given one more step and its state
record LayerNodes(OnnxLayers layers, boolean streams) {

  /// Refuses layers that have no nodes.
  ///
  /// @throws ConfigException naming the first
  static void requireKnown(Layer.Factory layer) {
    switch (layer) {
      case Layers.Sequence(List<Layer.Factory> inner) -> inner.forEach(LayerNodes::requireKnown);
      case Layers.Concat(List<Layer.Factory> parts) -> parts.forEach(LayerNodes::requireKnown);
      case Layers.Residual(Layer.Factory inner) -> requireKnown(inner);
      case Layers.Kind _ -> {}
      default ->
          throw new ConfigException(
              "network",
              "built-in layers, which ONNX has; a bundle, .pth or .safetensors takes layers of your"
                  + " own as well",
              "a layer of " + layer.getClass().getName());
    }
  }

  /// Adds one layer and returns its output.
  String add(Layer.Factory layer, String name, String x, int width) {
    OnnxGraph graph = layers.graph();
    return switch (layer) {
      case Layers.Dense _ -> layers.linear(name, x);
      case Layers.Activation activation ->
          graph.node(
              switch (activation) {
                case RELU -> "Relu";
                case TANH -> "Tanh";
                case SIGMOID -> "Sigmoid";
              },
              List.of(x));
      case Layers.Norm _ -> layers.norm(name, x);
      case Layers.Dropout _ -> x;
      case Layers.Recurrence recurrence -> recurrent(recurrence, name, x);
      case Layers.CausalAttention(int heads) -> attention(heads, name, x, width);
      case Layers.Places _ -> layers.add(x, place(name, x));
      case Layers.Residual(Layer.Factory inner) -> layers.add(add(inner, name, x, width), x);
      case Layers.Concat(List<Layer.Factory> parts) -> {
        var outputs = new ArrayList<String>();
        for (Layer.Factory part : parts) {
          outputs.add(add(part, "%s.%d".formatted(name, outputs.size()), x, width));
        }
        yield layers.concat(2, outputs);
      }
      case Layers.Sequence(List<Layer.Factory> inner) -> {
        String last = x;
        int lastWidth = width;
        for (int i = 0; i < inner.size(); i++) {
          last = add(inner.get(i), "%s.%d".formatted(name, i), last, lastWidth);
          lastWidth = inner.get(i).create(new Weights(), name, lastWidth).outputs();
        }
        yield last;
      }
      default -> throw new IllegalStateException("layers must be known, was " + layer);
    };
  }

  private String recurrent(Layers.Recurrence kind, String name, String x) {
    var sequence = new SequenceGraph(layers, null, name, kind.type(), kind.width(), kind.depth());
    return streams
        ? layers.unsqueeze(sequence.step(layers.squeeze(x, 0), name + "_"), 0)
        : sequence.over(x);
  }

  private String attention(int heads, String name, String x, int width) {
    String rows = layers.transpose(x, 1, 0, 2);
    String keys = layers.linear(name + ".k_net", rows);
    String values = layers.linear(name + ".v_net", rows);
    String visible = null;
    if (streams) {
      keys = longer(name + "_" + DayGraph.KEYS, keys, width);
      values = longer(name + "_" + DayGraph.VALUES, values, width);
    } else {
      visible = visible(rows);
    }
    String query = layers.query(name + ".", heads, rows);
    return layers.transpose(layers.attend(heads, query, keys, values, visible), 1, 0, 2);
  }

  /// Returns which of [B, n, H] each row may look at.
  private String visible(String rows) {
    String steps = layers.range(rows, 1);
    return layers
        .graph()
        .node("LessOrEqual", List.of(layers.unsqueeze(steps, 0), layers.unsqueeze(steps, 1)));
  }

  /// Appends a row, [B, 1, H], to a state of such rows.
  private String longer(String state, String added, int width) {
    OnnxGraph graph = layers.graph();
    String before = graph.input(state, FLOAT, BATCH, DayGraph.SEEN_ROWS, Size.of(width));
    String all = layers.concat(1, List.of(before, added));
    graph.output(DayGraph.NEXT + state, all, BATCH, DayGraph.NEXT_ROWS, Size.of(width));
    return all;
  }

  /// Returns the rows of the places, [n, 1, H] or, streamed, [1, B, H].
  private String place(String name, String x) {
    OnnxGraph graph = layers.graph();
    String rows = layers.constant(name + ".weight");
    if (!streams) {
      return layers.unsqueeze(graph.node("Gather", List.of(rows, layers.range(x, 0))), 1);
    }
    String state = name + "_place";
    String before = graph.input(state, FLOAT, BATCH);
    graph.output(DayGraph.NEXT + state, layers.add(before, graph.scalar(1f)), BATCH);
    return layers.unsqueeze(graph.node("Gather", List.of(rows, layers.integer(before))), 0);
  }
}
