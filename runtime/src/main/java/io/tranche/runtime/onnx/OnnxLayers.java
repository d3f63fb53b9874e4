package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxGraph.Type.INT64;

import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.onnx.OnnxGraph.Attribute;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The layers of networks, as nodes of a graph with the weights of a model.
///
/// Shapes in comments: B observations, n steps, H numbers.
///
/// @param weights all weights of one model, in their shapes
/// @param prefix of the names of the network's weights
record OnnxLayers(OnnxGraph graph, StateDict weights, String prefix) {

  /// As in [io.tranche.tensor.LayerNorm].
  private static final float NORM_EPSILON = 1e-5f;

  Tensor weight(String name) {
    return Objects.requireNonNull(weights.tensor(prefix + name), name);
  }

  String constant(String name) {
    Tensor tensor = weight(name);
    int[] shape = tensor.shape().stream().mapToInt(each -> each).toArray();
    return graph.constant(prefix + name, tensor.toArray(), shape);
  }

  /// Adds a linear layer over the last dimension.
  String linear(String name, String x) {
    Tensor weight = weight(name + ".weight");
    int outputs = weight.shape().getFirst();
    int inputs = weight.shape().getLast();
    float[] transposed = new float[weight.size()];
    for (int row = 0; row < outputs; row++) {
      for (int column = 0; column < inputs; column++) {
        transposed[column * outputs + row] = weight.at(row * inputs + column);
      }
    }
    String matrix = graph.constant(prefix + name + ".weight", transposed, inputs, outputs);
    return add(graph.node("MatMul", List.of(x, matrix)), constant(name + ".bias"));
  }

  String linearWithRelu(String name, String x) {
    return graph.node("Relu", List.of(linear(name, x)));
  }

  String norm(String name, String x) {
    return graph.node(
        "LayerNormalization",
        List.of(x, constant(name + ".weight"), constant(name + ".bias")),
        Attribute.of("axis", -1),
        Attribute.of("epsilon", NORM_EPSILON));
  }

  /// Adds the attention of queries to keys and values.
  ///
  /// @param query [B, m, H], made by [#query]
  /// @param keys [B, n, H]
  /// @param visible which keys a query may look at, broadcast to [B, heads, m, n]; null for all
  String attend(int heads, String query, String keys, String values, @Nullable String visible) {
    String scores =
        graph.node(
            "MatMul",
            List.of(
                transpose(apart(heads, query), 0, 2, 1, 3),
                transpose(apart(heads, keys), 0, 2, 3, 1)));
    if (visible != null) {
      scores = graph.node("Where", List.of(visible, scores, graph.scalar(Float.NEGATIVE_INFINITY)));
    }
    String shares = graph.node("Softmax", List.of(scores), Attribute.of("axis", -1));
    String found =
        graph.node("MatMul", List.of(shares, transpose(apart(heads, values), 0, 2, 1, 3)));
    // Merges heads with their widths: the last two of what is then [B, m, heads, H / heads].
    return graph.node("Reshape", List.of(transpose(found, 0, 2, 1, 3), graph.integers(0, 0, -1)));
  }

  /// [B, n, H] to [B, n, heads, H / heads].
  private String apart(int heads, String x) {
    return graph.node("Reshape", List.of(x, graph.integers(0, 0, heads, -1)));
  }

  /// Adds the queries of an attention, scaled by one over the root of a head's width.
  String query(String name, int heads, String x) {
    double width = weight(name + "q_net.weight").shape().getFirst();
    float scale = (float) (1 / Math.sqrt(width / heads));
    return graph.node("Mul", List.of(linear(name + "q_net", x), graph.scalar(scale)));
  }

  /// Returns the row of each observation at its own step: [n, B, H] and [B] to [B, H].
  String at(String sequence, String step) {
    String index = unsqueeze(integer(step), 1);
    return graph.node(
        "GatherND", List.of(transpose(sequence, 1, 0, 2), index), Attribute.of("batch_dims", 1));
  }

  /// Returns 0, 1, 2 and so on, up to the size of `x` in dimension `axis`, exclusive.
  String range(String x, int axis) {
    return graph.node("Range", List.of(graph.scalar(0L), size(x, axis), graph.scalar(1L)));
  }

  String size(String x, int axis) {
    return graph.node(
        "Gather", List.of(graph.node("Shape", List.of(x)), graph.scalar((long) axis)));
  }

  /// Prepends a row of zeros and makes steps the first dimension: [B, n, H] to [n + 1, B, H].
  String behindZeros(String matrix) {
    return graph.node("Pad", List.of(transpose(matrix, 1, 0, 2), graph.integers(1, 0, 0, 0, 0, 0)));
  }

  String real(String x) {
    return graph.node("Cast", List.of(x), Attribute.of("to", FLOAT.code));
  }

  String integer(String x) {
    return graph.node("Cast", List.of(x), Attribute.of("to", INT64.code));
  }

  String add(String one, String other) {
    return graph.node("Add", List.of(one, other));
  }

  String divide(String one, String other) {
    return graph.node("Div", List.of(one, other));
  }

  String transpose(String x, long... order) {
    return graph.node("Transpose", List.of(x), Attribute.of("perm", order));
  }

  String unsqueeze(String x, long... axes) {
    return graph.node("Unsqueeze", List.of(x, graph.integers(axes)));
  }

  String squeeze(String x, long... axes) {
    return graph.node("Squeeze", List.of(x, graph.integers(axes)));
  }

  /// Concatenates values along an axis; a single value is returned unchanged.
  String concat(int axis, List<String> parts) {
    return parts.size() == 1
        ? parts.getFirst()
        : graph.node("Concat", parts, Attribute.of("axis", axis));
  }

  /// Cuts a value into `count` slices of size 1 along its first axis.
  List<String> split(String x, int count) {
    if (count == 1) {
      return List.of(x);
    }
    long[] sizes = new long[count];
    Arrays.fill(sizes, 1);
    return graph.node("Split", List.of(x, graph.integers(sizes)), count, Attribute.of("axis", 0));
  }
}
