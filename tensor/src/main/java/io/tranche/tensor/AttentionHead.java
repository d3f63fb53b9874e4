package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Some columns of an [Attention.Pass]: what their part of the queries finds in their part of the
/// keys. Hot path: allocates nothing.
final class AttentionHead {

  private static final Kernels KERNELS = Kernels.best();

  private final int column;
  private final int width;
  private final int maxKeys;

  /// The softmax of the scores of every query over its lane's keys.
  private final float[] probabilities;

  private final Scratch scratch;

  /// What the heads of a pass use one after the other.
  static final class Scratch {
    private final float[] dScores;

    /// The keys, or the values, of one lane, side by side.
    private final float[] columns;

    private final float[] zeros;

    Scratch(int maxQueries, int maxKeys, int width) {
      dScores = new float[Math.multiplyExact(maxQueries, maxKeys)];
      columns = new float[Math.multiplyExact(width, maxKeys)];
      zeros = new float[Math.max(maxKeys, width)];
    }
  }

  /// @param column where its `width` columns begin
  AttentionHead(int column, int width, int maxQueries, int maxKeys, Scratch scratch) {
    this.column = column;
    this.width = width;
    this.maxKeys = maxKeys;
    this.probabilities = new float[Math.multiplyExact(maxQueries, maxKeys)];
    this.scratch = scratch;
  }

  /// Writes to `y` what each of `queries` rows of `q` from `first` on finds in `keys` rows of `k`
  /// and `v` from `firstKey` on.
  ///
  /// @param visible how many of the keys each query may look at; null means all
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

  /// Lays the rows of one lane out as columns.
  private void turn(Rows rows, int firstKey, int keys) {
    for (int i = 0; i < keys; i++) {
      int from = rows.offset(firstKey + i) + column;
      for (int j = 0; j < width; j++) {
        scratch.columns[j * keys + i] = rows.data[from + j];
      }
    }
  }

  /// Goes back through [#forward] on the same rows: writes the gradients of the queries to `dq` and
  /// adds those of the keys and values to `dk` and `dv`.
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

  /// Adds to each key's row of `y` what the queries' rows of `x` give, weighted by `weights`, one
  /// row per query.
  private void addProduct(
      float[] weights, int at, Rows x, int first, int queries, int keys, Rows y, int firstKey) {
    int from = x.offset(first) + column;
    int to = y.offset(firstKey) + column;
    KERNELS.multiply(
        keys, width, queries, weights, at, 1, maxKeys, x.data, from, x.stride, y.data, to, y.stride,
        y.data, to, y.stride);
  }
}
