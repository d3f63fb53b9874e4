package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;

import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.onnx.OnnxGraph.Attribute;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.RnnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Recurrent layers as in torch, with ONNX's order of gates, behind a linear one.
///
/// @param linear name of the linear layer's weights; null if there is none
/// @param rnn name of the recurrent layers' weights
/// @param depth the number of recurrent layers
record SequenceGraph(
    OnnxLayers layers, @Nullable String linear, String rnn, RnnType type, int hidden, int depth) {

  /// Returns layers whose linear one is `<prefix>fc.0` and whose recurrent ones are `<prefix>rnn`.
  static SequenceGraph behindLinear(
      OnnxLayers layers, String prefix, RnnType type, int hidden, int depth) {
    return new SequenceGraph(layers, prefix + "fc.0", prefix + "rnn", type, hidden, depth);
  }

  /// The state of the recurrent layers, [depth, B, H].
  ///
  /// @param cell null unless they are LSTM
  private record State(String hidden, @Nullable String cell) {}

  /// The result of running the layers.
  ///
  /// @param output of the last layer at each step, [n, B, H]
  /// @param last the state of all layers after the last step
  private record Run(String output, State last) {}

  /// Returns the outputs at each step of whole sequences, [n, B, F] to [n, B, H].
  String over(String sequence) {
    return run(sequence, null).output;
  }

  /// Adds inputs for a state and outputs for the next, and returns the output of one more step, [B,
  /// F] to [B, H].
  ///
  /// @param name prefix of the state's names
  String step(String row, String name) {
    var before =
        new State(input(name + "hidden"), type == RnnType.LSTM ? input(name + "cell") : null);
    Run run = run(layers.unsqueeze(row, 0), before);
    output(name + "hidden", run.last.hidden);
    if (run.last.cell != null) {
      output(name + "cell", run.last.cell);
    }
    return layers.squeeze(run.output, 0);
  }

  private String input(String name) {
    return layers.graph().input(name, FLOAT, stateShape());
  }

  private void output(String name, String value) {
    layers.graph().output(DayGraph.NEXT + name, value, stateShape());
  }

  private Size[] stateShape() {
    return new Size[] {Size.of(depth), OnnxModel.BATCH, Size.of(hidden)};
  }

  /// @param first the state before the first step; null for zeros
  private Run run(String sequence, @Nullable State first) {
    List<String> hiddens = first == null ? List.of() : layers.split(first.hidden, depth);
    List<String> cells =
        first == null || first.cell == null ? List.of() : layers.split(first.cell, depth);
    var lastHiddens = new ArrayList<String>();
    var lastCells = new ArrayList<String>();
    String x = linear == null ? sequence : layers.linearWithRelu(linear, sequence);
    for (int layer = 0; layer < depth; layer++) {
      var taken =
          new ArrayList<>(
              List.of(x, matrix("weight_ih", layer), matrix("weight_hh", layer), biases(layer)));
      if (!hiddens.isEmpty()) {
        taken.add(""); // lengths: all are as long as the longest
        taken.add(hiddens.get(layer));
      }
      if (!cells.isEmpty()) {
        taken.add(cells.get(layer));
      }
      List<String> given = node(taken);
      x = layers.squeeze(given.getFirst(), 1); // there is one direction
      lastHiddens.add(given.get(1));
      if (type == RnnType.LSTM) {
        lastCells.add(given.get(2));
      }
    }
    return new Run(
        x,
        new State(
            layers.concat(0, lastHiddens),
            lastCells.isEmpty() ? null : layers.concat(0, lastCells)));
  }

  private List<String> node(List<String> taken) {
    Attribute size = Attribute.of("hidden_size", hidden);
    OnnxGraph graph = layers.graph();
    return switch (type) {
      case RNN -> graph.node("RNN", taken, 2, size);
      case LSTM -> graph.node("LSTM", taken, 3, size);
      // Torch multiplies by the reset gate after adding up the state's own sum, not before.
      case GRU -> graph.node("GRU", taken, 2, size, Attribute.of("linear_before_reset", 1));
    };
  }

  /// Returns the index of torch's gate for each of ONNX's gates.
  private int[] gates() {
    return switch (type) {
      case RNN -> new int[] {0};
      case LSTM -> new int[] {0, 3, 1, 2}; // i f g o to i o f c
      case GRU -> new int[] {1, 0, 2}; // r z n to z r h
    };
  }

  private String matrix(String kind, int layer) {
    String key = "%s.%s_l%d".formatted(rnn, kind, layer);
    Tensor tensor = layers.weight(key);
    int rows = tensor.shape().getFirst();
    int columns = tensor.shape().getLast();
    float[] ordered = new float[tensor.size()];
    copyGates(tensor, hidden * columns, ordered, 0);
    return layers.graph().constant(layers.prefix() + key, ordered, 1, rows, columns);
  }

  private String biases(int layer) {
    Tensor ofInput = layers.weight("%s.bias_ih_l%d".formatted(rnn, layer));
    Tensor ofState = layers.weight("%s.bias_hh_l%d".formatted(rnn, layer));
    float[] both = new float[ofInput.size() + ofState.size()];
    copyGates(ofInput, hidden, both, 0);
    copyGates(ofState, hidden, both, ofInput.size());
    String key = "%s%s.bias_l%d".formatted(layers.prefix(), rnn, layer);
    return layers.graph().constant(key, both, 1, both.length);
  }

  /// Copies a tensor with `size` numbers per gate into ONNX's order of gates.
  private void copyGates(Tensor tensor, int size, float[] target, int at) {
    int[] gates = gates();
    float[] elements = tensor.toArray();
    for (int i = 0; i < gates.length; i++) {
      System.arraycopy(elements, gates[i] * size, target, at + i * size, size);
    }
  }
}
