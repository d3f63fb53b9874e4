package io.tranche.market.expression.evaluation;

import io.tranche.market.expression.ColumnType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The values of one instrument at some bars of a calendar, in order. Immutable.
///
/// Conditions are 1 and 0. Most columns cover every bar of a range; `Expression.Cut` and
/// `Expression.Select` leave some out.
public final class Column {

  private final ColumnType type;
  private final int first; // the calendar index of row 0 where `indices` is null
  private final int @Nullable [] indices;
  private final double[] values;

  private Column(ColumnType type, int first, int @Nullable [] indices, double[] values) {
    this.type = type;
    this.first = first;
    this.indices = indices;
    this.values = values;
  }

  /// Makes the column of a stored field whose first value belongs to the calendar index `first`.
  public static Column ofField(int first, float[] values) {
    double[] copy = new double[values.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = values[i];
    }
    return new Column(ColumnType.SINGLE, first, null, copy);
  }

  public int size() {
    return values.length;
  }

  /// Returns the calendar index of `row`.
  public int index(int row) {
    return indices == null ? first + row : indices[row];
  }

  public double value(int row) {
    return values[row];
  }

  /// Whether no bar is left out between the first row and the last.
  public boolean isContiguous() {
    return indices == null;
  }

  /// Copies the values, narrowed, to the position given by their calendar index minus `origin`.
  public void narrow(float[] target, int origin) {
    if (indices == null) {
      int offset = first - origin;
      for (int i = 0; i < values.length; i++) {
        target[offset + i] = (float) values[i];
      }
    } else {
      for (int i = 0; i < values.length; i++) {
        target[indices[i] - origin] = (float) values[i];
      }
    }
  }

  ColumnType type() {
    return type;
  }

  /// Returns the array itself, which must not be changed.
  double[] values() {
    return values;
  }

  /// Returns a column of the same rows with other values.
  Column with(ColumnType newType, double[] newValues) {
    return new Column(newType, first, indices, newValues);
  }

  /// Returns rows `from` (inclusive) to `to` (exclusive): this column itself if these are all.
  Column rows(int from, int to, Buffers buffers) {
    if (from == 0 && to == values.length) {
      return this;
    }
    int[] kept = indices == null ? null : Arrays.copyOfRange(indices, from, to);
    double[] part = buffers.take(to - from);
    System.arraycopy(values, from, part, 0, part.length);
    return new Column(type, first + from, kept, part);
  }

  /// Returns the rows whose calendar index lies in `start` to `end`, both inclusive.
  Column between(int start, int end, Buffers buffers) {
    int from = rowAtOrAfter(start);
    return rows(from, Math.max(from, rowAtOrAfter(end + 1)), buffers);
  }

  /// Whether both have the same array.
  @SuppressWarnings("ReferenceEquality") // equal values elsewhere in memory are not shared
  boolean sharesValuesOf(Column other) {
    return values == other.values;
  }

  /// Returns an equal column with an array of its own.
  Column copy() {
    return with(type, values.clone());
  }

  private int rowAtOrAfter(int index) {
    if (indices == null) {
      return Math.clamp((long) index - first, 0, values.length);
    }
    int row = Arrays.binarySearch(indices, index);
    return row >= 0 ? row : -row - 1;
  }

  boolean hasRowsOf(Column other) {
    if (values.length != other.values.length) {
      return false;
    }
    if (indices == null && other.indices == null) {
      return first == other.first || values.length == 0;
    }
    for (int row = 0; row < values.length; row++) {
      if (index(row) != other.index(row)) {
        return false;
      }
    }
    return true;
  }

  /// Returns the rows at which `keep` is not zero; both have the same length.
  Column where(double[] keep) {
    int count = 0;
    int[] keptIndices = new int[values.length];
    double[] keptValues = new double[values.length];
    for (int row = 0; row < values.length; row++) {
      if (keep[row] != 0) {
        keptIndices[count] = index(row);
        keptValues[count++] = values[row];
      }
    }
    return new Column(
        type, first, Arrays.copyOf(keptIndices, count), Arrays.copyOf(keptValues, count));
  }

  /// Returns this column at the rows of `other`, NaN where it has none.
  Column at(Column other) {
    double[] moved = new double[other.size()];
    int mine = 0;
    for (int row = 0; row < moved.length; row++) {
      int index = other.index(row);
      while (mine < values.length && index(mine) < index) {
        mine++;
      }
      moved[row] = mine < values.length && index(mine) == index ? values[mine] : Double.NaN;
    }
    return other.with(type, moved);
  }

  /// Returns a column that has the rows of either; its values are meaningless.
  static Column union(Column left, Column right) {
    int[] merged = new int[left.size() + right.size()];
    int count = 0;
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      int one = l < left.size() ? left.index(l) : Integer.MAX_VALUE;
      int two = r < right.size() ? right.index(r) : Integer.MAX_VALUE;
      merged[count++] = Math.min(one, two);
      l += one <= two ? 1 : 0;
      r += two <= one ? 1 : 0;
    }
    boolean contiguous = count == 0 || merged[count - 1] - merged[0] == count - 1;
    return new Column(
        left.type,
        count == 0 ? 0 : merged[0],
        contiguous ? null : Arrays.copyOf(merged, count),
        new double[count]);
  }
}
