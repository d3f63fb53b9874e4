package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;

/// Rows of floats somewhere in a caller-owned array: row `i` begins at `at + i * stride`.
///
/// A reusable view, through which a layer can read and write columns of a wider matrix.
public final class Rows {

  private static final Kernels KERNELS = Kernels.best();

  final float[] data;
  final int at;
  final int stride;

  private Rows(float[] data, int at, int stride) {
    this.data = data;
    this.at = at;
    this.stride = stride;
  }

  /// Returns consecutive rows of `data`, each `width` long.
  public static Rows of(float[] data, int width) {
    return new Rows(data, 0, width);
  }

  /// Allocates `count` rows of `width` zeros.
  public static Rows zeros(int count, int width) {
    return of(new float[Math.multiplyExact(count, width)], width);
  }

  /// Returns the same rows without their first `column` columns.
  public Rows fromColumn(int column) {
    return new Rows(data, at + column, stride);
  }

  /// Returns the rows from row `first` on.
  public Rows fromRow(int first) {
    return new Rows(data, at + first * stride, stride);
  }

  /// Adds the first `width` columns of `count` rows of `other` to these rows.
  public void add(int count, int width, Rows other) {
    for (int i = 0; i < count; i++) {
      addRow(i, width, other, i);
    }
  }

  /// Adds the first `width` columns of row `from` of `other` to row `i`.
  public void addRow(int i, int width, Rows other, int from) {
    KERNELS.axpy(width, 1, other.data, other.offset(from), data, offset(i));
  }

  /// Copies the first `width` columns of row `from` of `other` to row `i`.
  public void copyRow(int i, int width, Rows other, int from) {
    System.arraycopy(other.data, other.offset(from), data, offset(i), width);
  }

  public float[] data() {
    return data;
  }

  /// Returns where row `i` begins in [#data()].
  public int offset(int i) {
    return at + i * stride;
  }

  /// Returns the distance between the starts of two consecutive rows.
  public int stride() {
    return stride;
  }
}
