package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxGraph.Type.INT32;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.RnnType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The part of a network that does not depend on how it encodes the market: recurrent layers over
/// past decisions, the side of the order, and two layers that combine them with the day.
///
/// @param type of the recurrent layers
/// @param depth the number of recurrent layers
/// @param maxSteps the maximal number of decisions of an order
record DecisionGraph(RnnType type, int hidden, int depth, int maxSteps) implements OrderGraph {

  /// Returns this part of the network that `config` describes.
  static DecisionGraph of(DayNetworkConfig config, int maxSteps) {
    return switch (config) {
      case RecurrentConfig(int hidden, _, RnnType type, int depth) ->
          new DecisionGraph(type, hidden, depth, maxSteps);
      case DualAttentionConfig(int hidden, _, RnnType type, int depth) ->
          new DecisionGraph(type, hidden, depth, maxSteps);
      case TransformerConfig transformer ->
          new DecisionGraph(RnnType.GRU, transformer.hidden(), 1, maxSteps);
      case LayersConfig layers -> new DecisionGraph(RnnType.GRU, layers.hidden(), 1, maxSteps);
    };
  }

  private SequenceGraph decisions(OnnxLayers layers) {
    return SequenceGraph.behindLinear(layers, "pri_", type, hidden, depth);
  }

  @Override
  public String whole(OnnxLayers layers, @Nullable String day) {
    OnnxGraph graph = layers.graph();
    String step = graph.input("cur_step", INT32, BATCH);
    String steps = graph.input("num_step", INT32, BATCH);
    String positions = graph.input("position_history", FLOAT, BATCH, Size.of(maxSteps));
    String target = graph.input("target", FLOAT, BATCH);
    float[] counted = new float[maxSteps];
    for (int i = 0; i < maxSteps; i++) {
      counted[i] = i;
    }
    String remained = layers.divide(positions, layers.unsqueeze(target, 1));
    String progress =
        layers.divide(
            graph.constant("steps", counted, 1, maxSteps), layers.unsqueeze(layers.real(steps), 1));
    String sequence =
        layers.concat(2, List.of(layers.unsqueeze(remained, 2), layers.unsqueeze(progress, 2)));
    String encoded = decisions(layers).over(layers.transpose(sequence, 1, 0, 2));
    return join(layers, day, layers.at(encoded, step));
  }

  @Override
  public String one(OnnxLayers layers, @Nullable String day) {
    OnnxGraph graph = layers.graph();
    String step = graph.input("cur_step", INT32, BATCH);
    String steps = graph.input("num_step", INT32, BATCH);
    String position = graph.input("position", FLOAT, BATCH);
    String target = graph.input("target", FLOAT, BATCH);
    String remained = layers.divide(position, target);
    String progress = layers.divide(layers.real(step), layers.real(steps));
    String row =
        layers.concat(1, List.of(layers.unsqueeze(remained, 1), layers.unsqueeze(progress, 1)));
    return join(layers, day, decisions(layers).step(row, "private_"));
  }

  private static String join(OnnxLayers layers, @Nullable String day, String decisions) {
    OnnxGraph graph = layers.graph();
    String buys = layers.unsqueeze(layers.real(graph.input("acquiring", INT32, BATCH)), 1);
    String sells = graph.node("Sub", List.of(graph.scalar(1f), buys));
    String side = layers.linearWithRelu("dire_fc.0", layers.concat(1, List.of(buys, sells)));
    String direction = layers.linearWithRelu("dire_fc.2", side);
    String neck =
        layers.linearWithRelu(
            "fc.0", layers.concat(1, List.of(Objects.requireNonNull(day), decisions, direction)));
    return layers.linearWithRelu("fc.2", neck);
  }
}
