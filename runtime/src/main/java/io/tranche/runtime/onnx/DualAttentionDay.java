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
/// Streamed, keys and values of today grow by a row a tick; those of yesterday are worked out once,
/// by the opening.
record DualAttentionDay(DualAttentionConfig config, int dataWidth) implements DayGraph {

  private static final String OVER_TODAY = "raw_attention.";
  private static final String OVER_YESTERDAY = "prev_attention.";
  private static final String YESTERDAY_KEYS = "yesterday_keys";
  private static final String YESTERDAY_VALUES = "yesterday_values";

  /// How many rows yesterday's keys have: a tick each, and the row of zeros.
  private static final Size YESTERDAY_ROWS = Size.any("yesterday_rows");

  @Override
  public int width() {
    return 3 * config.hidden();
  }

  private RecurrentStack stack(OnnxLayers layers, String name) {
    return new RecurrentStack(layers, name, config.type(), config.hidden(), config.depth());
  }

  /// Returns what the layers named `prefix` give at each step of a matrix, [n, B, H].
  private String encode(OnnxLayers layers, String prefix, String matrix) {
    String x = layers.linearWithRelu(prefix + "fc.0", layers.behindZeros(matrix));
    return stack(layers, prefix + "rnn").over(x);
  }

  private String matrix(OnnxLayers layers, String name) {
    return layers.graph().input(name, FLOAT, BATCH, TICKS, Size.of(dataWidth));
  }

  @Override
  public String whole(OnnxLayers layers, String tick) {
    String today = encode(layers, "raw_", matrix(layers, TODAY));
    String query = layers.at(today, tick);
    String ticks = layers.range(today, 0);
    String visible =
        layers
            .graph()
            .node("LessOrEqual", List.of(ticks, layers.unsqueeze(layers.integer(tick), 1)));
    Memory ofToday = memory(layers, OVER_TODAY, layers.transpose(today, 1, 0, 2));
    String yesterday = encode(layers, "prev_", matrix(layers, YESTERDAY));
    Memory ofYesterday = memory(layers, OVER_YESTERDAY, layers.transpose(yesterday, 1, 0, 2));
    return layers.concat(
        1,
        List.of(
            query,
            find(layers, OVER_TODAY, query, ofToday, layers.unsqueeze(visible, 1, 2)),
            find(layers, OVER_YESTERDAY, query, ofYesterday, null)));
  }

  /// Keys and values, [B, n, H].
  private record Memory(String keys, String values) {}

  private static Memory memory(OnnxLayers layers, String attention, String rows) {
    return new Memory(
        layers.linear(attention + "k_net", rows), layers.linear(attention + "v_net", rows));
  }

  /// Returns what is found, [B, H].
  private static String find(
      OnnxLayers layers, String attention, String asking, Memory memory, @Nullable String visible) {
    String query = layers.query(attention, 1, layers.unsqueeze(asking, 1));
    return layers.squeeze(layers.attend(1, query, memory.keys, memory.values, visible), 1);
  }

  @Override
  public String tick(OnnxLayers layers) {
    String row = layers.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth));
    RecurrentStack stack = stack(layers, "raw_rnn");
    String encoded = layers.linearWithRelu("raw_fc.0", layers.unsqueeze(row, 0));
    RecurrentStack.Run run = stack.run(encoded, stack.input(""));
    stack.output(NEXT, run.last());
    Memory before =
        new Memory(memoryInput(layers, KEYS, SEEN_ROWS), memoryInput(layers, VALUES, SEEN_ROWS));
    Memory added = memory(layers, OVER_TODAY, layers.transpose(run.output(), 1, 0, 2));
    Memory today =
        new Memory(
            layers.concat(1, List.of(before.keys, added.keys)),
            layers.concat(1, List.of(before.values, added.values)));
    memoryOutput(layers, NEXT + KEYS, today.keys, NEXT_ROWS);
    memoryOutput(layers, NEXT + VALUES, today.values, NEXT_ROWS);
    Memory yesterday =
        new Memory(
            memoryInput(layers, YESTERDAY_KEYS, YESTERDAY_ROWS),
            memoryInput(layers, YESTERDAY_VALUES, YESTERDAY_ROWS));
    String query = layers.squeeze(run.output(), 0);
    return layers.concat(
        1,
        List.of(
            query,
            find(layers, OVER_TODAY, query, today, null),
            find(layers, OVER_YESTERDAY, query, yesterday, null)));
  }

  @Override
  public boolean opening(OnnxLayers layers) {
    String yesterday = encode(layers, "prev_", matrix(layers, YESTERDAY));
    Memory memory = memory(layers, OVER_YESTERDAY, layers.transpose(yesterday, 1, 0, 2));
    memoryOutput(layers, YESTERDAY_KEYS, memory.keys, YESTERDAY_ROWS);
    memoryOutput(layers, YESTERDAY_VALUES, memory.values, YESTERDAY_ROWS);
    return true;
  }

  private String memoryInput(OnnxLayers layers, String name, Size rows) {
    return layers.graph().input(name, FLOAT, BATCH, rows, Size.of(config.hidden()));
  }

  private void memoryOutput(OnnxLayers layers, String name, String value, Size rows) {
    layers.graph().output(name, value, BATCH, rows, Size.of(config.hidden()));
  }
}
