package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [io.tranche.policy.network.DualAttention]: recurrent layers over today and over yesterday, and
/// attention to both.
///
/// When streamed, today's keys and values grow by one row per tick; the opening graph computes
/// yesterday's once.
record DualAttentionDay(DualAttentionConfig config, int dataWidth) implements DayGraph {

  private static final String OVER_TODAY = "raw_attention.";
  private static final String OVER_YESTERDAY = "prev_attention.";
  private static final String YESTERDAY_KEYS = "yesterday_keys";
  private static final String YESTERDAY_VALUES = "yesterday_values";

  /// The number of rows of yesterday's keys: one per tick, and the row of zeros.
  private static final Size YESTERDAY_ROWS = Size.any("yesterday_rows");

  @Override
  public int width() {
    return 3 * config.hidden();
  }

  private SequenceGraph ticks(OnnxLayers layers, String prefix) {
    return SequenceGraph.behindLinear(
        layers, prefix, config.type(), config.hidden(), config.depth());
  }

  private String matrix(OnnxLayers layers, String name) {
    return layers.graph().input(name, FLOAT, BATCH, TICKS, Size.of(dataWidth));
  }

  @Override
  public String whole(OnnxLayers layers, String tick) {
    String today = ticks(layers, "raw_").over(layers.behindZeros(matrix(layers, TODAY)));
    String visible =
        layers
            .graph()
            .node(
                "LessOrEqual",
                List.of(layers.range(today, 0), layers.unsqueeze(layers.integer(tick), 1)));
    return ask(
        layers,
        layers.at(today, tick),
        memory(layers, OVER_TODAY, today),
        layers.unsqueeze(visible, 1, 2),
        yesterday(layers));
  }

  private Memory yesterday(OnnxLayers layers) {
    String matrix = matrix(layers, YESTERDAY);
    return memory(layers, OVER_YESTERDAY, ticks(layers, "prev_").over(layers.behindZeros(matrix)));
  }

  /// Keys and values, [B, n, H].
  private record Memory(String keys, String values) {}

  /// @param sequence [n, B, H]
  private static Memory memory(OnnxLayers layers, String attention, String sequence) {
    String rows = layers.transpose(sequence, 1, 0, 2);
    return new Memory(
        layers.linear(attention + "k_net", rows), layers.linear(attention + "v_net", rows));
  }

  /// Returns the query and the results of both attentions, [B, 3 H].
  ///
  /// @param visible which rows of today are visible; null for all
  private static String ask(
      OnnxLayers layers, String query, Memory today, @Nullable String visible, Memory yesterday) {
    return layers.concat(
        1,
        List.of(
            query,
            find(layers, OVER_TODAY, query, today, visible),
            find(layers, OVER_YESTERDAY, query, yesterday, null)));
  }

  private static String find(
      OnnxLayers layers, String attention, String asking, Memory memory, @Nullable String visible) {
    String query = layers.query(attention, 1, layers.unsqueeze(asking, 1));
    return layers.squeeze(layers.attend(1, query, memory.keys, memory.values, visible), 1);
  }

  @Override
  public String tick(OnnxLayers layers) {
    String row = layers.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth));
    String query = ticks(layers, "raw_").step(row, "");
    Memory before = input(layers, KEYS, VALUES, SEEN_ROWS);
    Memory added = memory(layers, OVER_TODAY, layers.unsqueeze(query, 0));
    var today =
        new Memory(
            layers.concat(1, List.of(before.keys, added.keys)),
            layers.concat(1, List.of(before.values, added.values)));
    output(layers, NEXT + KEYS, NEXT + VALUES, NEXT_ROWS, today);
    Memory yesterday = input(layers, YESTERDAY_KEYS, YESTERDAY_VALUES, YESTERDAY_ROWS);
    return ask(layers, query, today, null, yesterday);
  }

  @Override
  public boolean opening(OnnxLayers layers) {
    output(layers, YESTERDAY_KEYS, YESTERDAY_VALUES, YESTERDAY_ROWS, yesterday(layers));
    return true;
  }

  private Memory input(OnnxLayers layers, String keys, String values, Size rows) {
    Size[] shape = {BATCH, rows, Size.of(config.hidden())};
    return new Memory(
        layers.graph().input(keys, FLOAT, shape), layers.graph().input(values, FLOAT, shape));
  }

  private void output(OnnxLayers layers, String keys, String values, Size rows, Memory memory) {
    Size[] shape = {BATCH, rows, Size.of(config.hidden())};
    layers.graph().output(keys, memory.keys, shape);
    layers.graph().output(values, memory.values, shape);
  }
}
