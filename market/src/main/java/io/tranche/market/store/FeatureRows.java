package io.tranche.market.store;

import io.tranche.market.Calendar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a query for one instrument: one `float` column per expression, NaN where it has no
/// value. Immutable.
public final class FeatureRows {

  private final String instrument;
  private final Calendar calendar;
  private final List<String> expressions;
  private final int first; // the calendar index of row 0 where `indices` is null
  private final int @Nullable [] indices;
  private final int size;
  private final float[][] columns;

  FeatureRows(
      String instrument,
      Calendar calendar,
      List<String> expressions,
      int first,
      int @Nullable [] indices,
      int size,
      float[][] columns) {
    this.instrument = instrument;
    this.calendar = calendar;
    this.expressions = expressions;
    this.first = first;
    this.indices = indices;
    this.size = size;
    this.columns = columns;
  }

  public String instrument() {
    return instrument;
  }

  public List<String> expressions() {
    return expressions;
  }

  /// Returns the number of rows, 0 if the instrument has no data in the range.
  public int size() {
    return size;
  }

  public Calendar calendar() {
    return calendar;
  }

  /// Returns the calendar index of `row`.
  public int index(int row) {
    return indices == null ? first + row : indices[row];
  }

  /// Returns the [io.tranche.market.BarTime] of `row`.
  public long time(int row) {
    return calendar.time(index(row));
  }

  public float value(int column, int row) {
    return columns[column][row];
  }

  /// Copies rows `from` to `from + length` of a column into `target`.
  public void copy(int column, int from, float[] target, int offset, int length) {
    System.arraycopy(columns[column], from, target, offset, length);
  }
}
