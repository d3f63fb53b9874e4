package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One head of an [Attention.Pass]: its columns of the queries attend to its columns of the keys.
/// Hot path: allocates nothing.
final class AttentionHead {

  private static final Kernels KERNELS = Kernels.best();

  private final int column;
  private final int width;
  private final int maxKeys;

  /// The softmax of the scores of every query over its lane's keys.
  private final float[] probabilities;

  private final Scratch scratch;

  /// Buffers that the heads of a pass use in turn.
  static final class Scratch {
    private final float[] dScores;

    /// The keys or the values of one lane as columns.
    private final float[] columns;

    private final float[] zeros;

    Scratch(int maxQueries, int maxKeys, int width) {
      dScores = new float[Math.multiplyExact(maxQueries, maxKeys)];
      columns = new float[Math.multiplyExact(width, maxKeys)];
      zeros = new float[Math.max(maxKeys, width)];
    }
  }

  /// @param column first of its `width` columns
  AttentionHead(int column, int width, int maxQueries, int maxKeys, Scratch scratch) {
    this.column = column;
    this.width = width;
    this.maxKeys = maxKeys;
    this.probabilities = new float[Math.multiplyExact(maxQueries, maxKeys)];
    this.scratch = scratch;
  }

  /// Attends with `queries` rows of `q` from `first` on to `keys` rows of `k` and `v` from
  /// `firstKey` on, and writes the results to `y`.
  ///
  /// @param visible number of keys each query may attend to; null for all
  void forward(
      int first,
      int queries,
      int firstKey,
      int keys,
      Rows q,
      Rows k,
      Rows v,
      int @Nullable [] visible,
      Rows y) {
    turn(k, firstKey, keys);
    float[] turned = scratch.columns;
    float[] zeros = scratch.zeros;
    float[] p = probabilities;
    int from = q.offset(first) + column;
    int to = first * maxKeys;
    KERNELS.multiply(
        queries, keys, width, q.data, from, q.stride, 1, turned, 0, keys, zeros, 0, 0, p, to,
        maxKeys);
    int at = v.offset(firstKey) + column;
    for (int i = first; i < first + queries; i++) {
      int seen = visible == null ? keys : visible[i];
      int row = i * maxKeys;
      KERNELS.softmax(seen, p, row);
      Arrays.fill(p, row + seen, row + keys, 0);
      int o = y.offset(i) + column;
      KERNELS.multiply(
          1, width, seen, p, row, maxKeys, 1, v.data, at, v.stride, zeros, 0, 0, y.data, o,
          y.stride);
    }
  }

  /// Turns the rows of one lane into columns.
  private void turn(Rows rows, int firstKey, int keys) {
    for (int i = 0; i < keys; i++) {
      int from = rows.offset(firstKey + i) + column;
      for (int j = 0; j < width; j++) {
        scratch.columns[j * keys + i] = rows.data[from + j];
      }
    }
  }

  /// Backward pass of [#forward], given the same rows: writes the gradients of the queries to `dq`
  /// and adds those of the keys and values to `dk` and `dv`.
  ///
  /// @param dy the gradient of `y`
  void backward(
      int first,
      int queries,
      int firstKey,
      int keys,
      Rows q,
      Rows k,
      Rows v,
      Rows dy,
      Rows dq,
      Rows dk,
      Rows dv) {
    addProduct(probabilities, first * maxKeys, dy, first, queries, keys, dv, firstKey);
    turn(v, firstKey, keys);
    float[] dScores = scratch.dScores;
    float[] turned = scratch.columns;
    float[] zeros = scratch.zeros;
    int from = dy.offset(first) + column;
    KERNELS.multiply(
        queries, keys, width, dy.data, from, dy.stride, 1, turned, 0, keys, zeros, 0, 0, dScores, 0,
        maxKeys);
    for (int i = 0; i < queries; i++) {
      // Keys that were not visible have probability 0 and so get a gradient of 0.
      KERNELS.softmaxBackward(keys, probabilities, (first + i) * maxKeys, dScores, i * maxKeys);
    }
    int at = k.offset(firstKey) + column;
    int to = dq.offset(first) + column;
    KERNELS.multiply(
        queries, width, keys, dScores, 0, maxKeys, 1, k.data, at, k.stride, zeros, 0, 0, dq.data,
        to, dq.stride);
    addProduct(dScores, 0, q, first, queries, keys, dk, firstKey);
  }

  /// Adds the sum of the queries' rows of `x` to each key's row of `y`, weighted by `weights`,
  /// which has one row per query.
  private void addProduct(
      float[] weights, int at, Rows x, int first, int queries, int keys, Rows y, int firstKey) {
    int from = x.offset(first) + column;
    int to = y.offset(firstKey) + column;
    KERNELS.multiply(
        keys, width, queries, weights, at, 1, maxKeys, x.data, from, x.stride, y.data, to, y.stride,
        y.data, to, y.stride);
  }
}
