package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;

import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.onnx.OnnxGraph.Attribute;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.RnnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Recurrent layers on one another, as torch has them, in ONNX's order of gates.
///
/// @param name of the weights, without `.weight_ih_l0` and so on
/// @param depth how many layers
record RecurrentStack(OnnxLayers layers, String name, RnnType type, int hidden, int depth) {

  /// Where the layers stand, [depth, B, H].
  ///
  /// @param cell null unless the layers are LSTM
  record State(String hidden, @Nullable String cell) {}

  /// What the layers give.
  ///
  /// @param output of the last layer at each step, [n, B, H]
  /// @param last where all layers stand then
  record Run(String output, State last) {}

  /// Adds a run over whole sequences, [n, B, H], from zeros on, and returns what it gives at each
  /// step.
  String over(String sequence) {
    return run(sequence, null).output;
  }

  /// Adds a run from `first` on.
  Run run(String sequence, @Nullable State first) {
    List<String> hiddens = first == null ? List.of() : layers.split(first.hidden, depth);
    List<String> cells =
        first == null || first.cell == null ? List.of() : layers.split(first.cell, depth);
    var lastHiddens = new ArrayList<String>();
    var lastCells = new ArrayList<String>();
    String x = sequence;
    for (int layer = 0; layer < depth; layer++) {
      var taken =
          new ArrayList<>(
              List.of(x, matrix("weight_ih", layer), matrix("weight_hh", layer), biases(layer)));
      if (first != null) {
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
      // Torch multiplies by the reset gate behind the state's own sum, not before it.
      case GRU -> graph.node("GRU", taken, 2, size, Attribute.of("linear_before_reset", 1));
    };
  }

  /// Returns which of torch's gates stands at each of ONNX's places.
  private int[] gates() {
    return switch (type) {
      case RNN -> new int[] {0};
      case LSTM -> new int[] {0, 3, 1, 2}; // i f g o to i o f c
      case GRU -> new int[] {1, 0, 2}; // r z n to z r h
    };
  }

  private String matrix(String kind, int layer) {
    String key = "%s.%s_l%d".formatted(name, kind, layer);
    Tensor tensor = layers.weight(key);
    int[] gates = gates();
    int columns = tensor.shape().getLast();
    float[] ordered = new float[tensor.size()];
    copyGates(tensor, hidden * columns, ordered, 0);
    return layers
        .graph()
        .constant(layers.prefix() + key, ordered, 1, gates.length * hidden, columns);
  }

  private String biases(int layer) {
    Tensor ofInput = layers.weight("%s.bias_ih_l%d".formatted(name, layer));
    Tensor ofState = layers.weight("%s.bias_hh_l%d".formatted(name, layer));
    float[] both = new float[ofInput.size() + ofState.size()];
    copyGates(ofInput, hidden, both, 0);
    copyGates(ofState, hidden, both, ofInput.size());
    String key = "%s%s.bias_l%d".formatted(layers.prefix(), name, layer);
    return layers.graph().constant(key, both, 1, both.length);
  }

  /// Copies a tensor that has `size` numbers a gate, gates in ONNX's order.
  private void copyGates(Tensor tensor, int size, float[] target, int at) {
    int[] gates = gates();
    float[] elements = tensor.toArray();
    for (int i = 0; i < gates.length; i++) {
      System.arraycopy(elements, gates[i] * size, target, at + i * size, size);
    }
  }

  /// Adds inputs for a state.
  State input(String prefix) {
    return new State(
        stateInput(prefix + "hidden"), type == RnnType.LSTM ? stateInput(prefix + "cell") : null);
  }

  private String stateInput(String name) {
    return layers.graph().input(name, FLOAT, stateShape());
  }

  /// Adds outputs for a state.
  void output(String prefix, State state) {
    layers.graph().output(prefix + "hidden", state.hidden, stateShape());
    if (state.cell != null) {
      layers.graph().output(prefix + "cell", state.cell, stateShape());
    }
  }

  private Size[] stateShape() {
    return new Size[] {Size.of(depth), OnnxModel.BATCH, Size.of(hidden)};
  }
}
