package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.TransformerConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [io.tranche.policy.network.CausalTransformer]: a transformer over the ticks of today.
///
/// When streamed, the keys and values of every block grow by one row per tick; their number is the
/// next position.
record TransformerDay(TransformerConfig config, int dataWidth) implements DayGraph {

  @Override
  public int width() {
    return config.hidden();
  }

  @Override
  public String whole(OnnxLayers layers, String tick) {
    OnnxGraph graph = layers.graph();
    String today = graph.input(TODAY, FLOAT, BATCH, TICKS, Size.of(dataWidth));
    String rows = layers.transpose(layers.behindZeros(today), 1, 0, 2);
    String steps = layers.range(rows, 1);
    String visible =
        graph.node("LessOrEqual", List.of(layers.unsqueeze(steps, 0), layers.unsqueeze(steps, 1)));
    String x = placed(layers, rows, steps);
    for (int i = 0; i < config.depth(); i++) {
      var block = new Block(layers, i);
      String normed = block.normed(x);
      x = block.finish(x, normed, block.keys(normed), block.values(normed), visible);
    }
    return layers.at(layers.transpose(layers.norm("raw_norm", x), 1, 0, 2), tick);
  }

  /// Returns the input of the first block, [B, n, H].
  private static String placed(OnnxLayers layers, String rows, String steps) {
    String positions =
        layers.graph().node("Gather", List.of(layers.constant("raw_positions.weight"), steps));
    return layers.add(layers.linear("raw_fc.0", rows), positions);
  }

  @Override
  public String tick(OnnxLayers layers) {
    OnnxGraph graph = layers.graph();
    String row = graph.input(ROW, FLOAT, BATCH, Size.of(dataWidth));
    String keys = graph.input(KEYS, FLOAT, memoryShape(SEEN_ROWS));
    String values = graph.input(VALUES, FLOAT, memoryShape(SEEN_ROWS));
    List<String> keysOfBlocks = layers.split(keys, config.depth());
    List<String> valuesOfBlocks = layers.split(values, config.depth());
    var nextKeys = new ArrayList<String>();
    var nextValues = new ArrayList<String>();
    String x = placed(layers, layers.unsqueeze(row, 1), layers.size(keys, 2));
    for (int i = 0; i < config.depth(); i++) {
      var block = new Block(layers, i);
      String normed = block.normed(x);
      String allKeys = longer(layers, keysOfBlocks.get(i), block.keys(normed));
      String allValues = longer(layers, valuesOfBlocks.get(i), block.values(normed));
      nextKeys.add(layers.unsqueeze(allKeys, 0));
      nextValues.add(layers.unsqueeze(allValues, 0));
      x = block.finish(x, normed, allKeys, allValues, null);
    }
    graph.output(NEXT + KEYS, layers.concat(0, nextKeys), memoryShape(NEXT_ROWS));
    graph.output(NEXT + VALUES, layers.concat(0, nextValues), memoryShape(NEXT_ROWS));
    return layers.squeeze(layers.norm("raw_norm", x), 1);
  }

  /// [1, B, n, H] and [B, 1, H] to [B, n + 1, H].
  private static String longer(OnnxLayers layers, String before, String added) {
    return layers.concat(1, List.of(layers.squeeze(before, 0), added));
  }

  private Size[] memoryShape(Size rows) {
    return new Size[] {Size.of(config.depth()), BATCH, rows, Size.of(config.hidden())};
  }

  /// One block, [io.tranche.tensor.TransformerBlock].
  private final class Block {
    private final OnnxLayers layers;
    private final String name;

    Block(OnnxLayers layers, int index) {
      this.layers = layers;
      this.name = "raw_blocks.%d.".formatted(index);
    }

    String normed(String x) {
      return layers.norm(name + "attention_norm", x);
    }

    String keys(String normed) {
      return layers.linear(name + "attention.k_net", normed);
    }

    String values(String normed) {
      return layers.linear(name + "attention.v_net", normed);
    }

    String finish(String x, String normed, String keys, String values, @Nullable String visible) {
      String query = layers.query(name + "attention.", config.heads(), normed);
      String found = layers.attend(config.heads(), query, keys, values, visible);
      String middle = layers.add(layers.linear(name + "attention.out_net", found), x);
      String inner =
          layers.linearWithRelu(name + "forward.0", layers.norm(name + "forward_norm", middle));
      return layers.add(layers.linear(name + "forward.2", inner), middle);
    }
  }
}
