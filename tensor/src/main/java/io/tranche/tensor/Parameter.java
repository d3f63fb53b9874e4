package io.tranche.tensor;

import java.util.List;

/// A named matrix or vector of [Weights].
///
/// Its shape is torch's, `rows` outputs by `columns` inputs, but the outputs of one input lie side
/// by side, so that kernels can work on many outputs at a time: element (row, column) is at `offset
/// + column * rows + row`.
public final class Parameter {

  /// The place of a matrix that [Weights#pack] took away.
  static final int PACKED = -1;

  private final String name;
  private final int rows;
  private final int columns;
  private final boolean vector;
  private int offset;
  private boolean trained = true;

  Parameter(String name, int rows, int columns, boolean vector, int offset) {
    this.name = name;
    this.rows = rows;
    this.columns = columns;
    this.vector = vector;
    this.offset = offset;
  }

  public String name() {
    return name;
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /// Returns whether it has one dimension in torch.
  public boolean isVector() {
    return vector;
  }

  /// Returns its dimensions in torch.
  public List<Integer> shape() {
    return vector ? List.of(rows) : List.of(rows, columns);
  }

  /// Returns where it begins in the arrays of its [Weights]. Ask again before each use:
  /// [Weights#pack] moves it.
  ///
  /// @throws IllegalStateException if it is no longer there, because it was packed
  public int offset() {
    if (offset == PACKED) {
      throw new IllegalStateException(name + " must be in float32, was packed for decisions");
    }
    return offset;
  }

  boolean isPacked() {
    return offset == PACKED;
  }

  void move(int to) {
    offset = to;
  }

  public int size() {
    return rows * columns;
  }

  /// Returns whether the optimiser may change it.
  public boolean isTrained() {
    return trained;
  }

  /// Excludes it from optimisation and weight decay, as torch does if no loss depends on it.
  public void exclude() {
    trained = false;
  }

  @Override
  public String toString() {
    return "%s %s".formatted(name, shape());
  }
}
