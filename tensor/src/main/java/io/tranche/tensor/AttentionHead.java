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

  /// Writes to `output` what each of `queries` rows of `q` from `first` on finds in `keys` rows of
  /// `k` and `v` from `firstKey` on.
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
      Rows output) {
    turn(k, firstKey, keys);
    KERNELS.multiply(
        queries,
        keys,
        width,
        q.data,
        q.offset(first) + column,
        q.stride,
        1,
        scratch.columns,
        0,
        keys,
        scratch.zeros,
        0,
        0,
        probabilities,
        first * maxKeys,
        maxKeys);
    for (int i = first; i < first + queries; i++) {
      int seen = visible == null ? keys : visible[i];
      int row = i * maxKeys;
      KERNELS.softmax(seen, probabilities, row);
      Arrays.fill(probabilities, row + seen, row + keys, 0);
      KERNELS.multiply(
          1,
          width,
          seen,
          probabilities,
          row,
          maxKeys,
          1,
          v.data,
          v.offset(firstKey) + column,
          v.stride,
          scratch.zeros,
          0,
          0,
          output.data,
          output.offset(i) + column,
          output.stride);
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
  /// @param dy the gradient of `output`
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
    KERNELS.multiply(
        queries,
        keys,
        width,
        dy.data,
        dy.offset(first) + column,
        dy.stride,
        1,
        scratch.columns,
        0,
        keys,
        scratch.zeros,
        0,
        0,
        dScores,
        0,
        maxKeys);
    for (int i = 0; i < queries; i++) {
      // Keys that were not visible have probability 0 and so get a gradient of 0.
      KERNELS.softmaxBackward(keys, probabilities, (first + i) * maxKeys, dScores, i * maxKeys);
    }
    KERNELS.multiply(
        queries,
        width,
        keys,
        dScores,
        0,
        maxKeys,
        1,
        k.data,
        k.offset(firstKey) + column,
        k.stride,
        scratch.zeros,
        0,
        0,
        dq.data,
        dq.offset(first) + column,
        dq.stride);
    addProduct(dScores, 0, q, first, queries, keys, dk, firstKey);
  }

  /// Adds to each key's row of `sum` what the queries' rows of `factor` give, weighted by
  /// `weights`, one row per query.
  private void addProduct(
      float[] weights,
      int at,
      Rows factor,
      int first,
      int queries,
      int keys,
      Rows sum,
      int firstKey) {
    int to = sum.offset(firstKey) + column;
    KERNELS.multiply(
        keys,
        width,
        queries,
        weights,
        at,
        1,
        maxKeys,
        factor.data,
        factor.offset(first) + column,
        factor.stride,
        sum.data,
        to,
        sum.stride,
        sum.data,
        to,
        sum.stride);
  }
}
