package io.tranche.market.feature;

import io.tranche.market.BarTime;
import java.time.LocalDate;
import java.util.List;

/// The features of one instrument on one day: a matrix for today and one for yesterday, one row per
/// tick. Immutable and safe to share between threads.
///
/// A day without bars has no ticks. Without columns there are only the times.
public final class DayFeatures {

  private final String instrument;
  private final LocalDate date;
  private final FeatureColumns columns;
  private final long[] times;
  private final float[] today;
  private final float[] yesterday;
  private final int finiteToday;
  private final int finiteYesterday;

  private DayFeatures(
      String instrument,
      LocalDate date,
      FeatureColumns columns,
      long[] times,
      float[] today,
      float[] yesterday) {
    this.instrument = instrument;
    this.date = date;
    this.columns = columns;
    this.times = times;
    this.today = today;
    this.yesterday = yesterday;
    this.finiteToday = finiteRows(today, columns.today().size());
    this.finiteYesterday = finiteRows(yesterday, columns.yesterday().size());
  }

  private int finiteRows(float[] matrix, int width) {
    for (int i = 0; i < matrix.length; i++) {
      if (!Float.isFinite(matrix[i])) {
        return i / width;
      }
    }
    return times.length;
  }

  /// Wraps row-major matrices, which the caller hands over and must not touch again.
  ///
  /// @throws IllegalArgumentException if a matrix is not times x columns
  public static DayFeatures wrap(
      String instrument,
      LocalDate date,
      FeatureColumns columns,
      long[] times,
      float[] today,
      float[] yesterday) {
    requireShape("today", today, times.length, columns.today());
    requireShape("yesterday", yesterday, times.length, columns.yesterday());
    return new DayFeatures(instrument, date, columns, times, today, yesterday);
  }

  private static void requireShape(String name, float[] matrix, int ticks, List<String> columns) {
    if (matrix.length != (long) ticks * columns.size()) {
      throw new IllegalArgumentException(
          "%s must hold %d ticks x %s, was %d values"
              .formatted(name, ticks, columns, matrix.length));
    }
  }

  public String instrument() {
    return instrument;
  }

  public LocalDate date() {
    return date;
  }

  public FeatureColumns columns() {
    return columns;
  }

  public int ticks() {
    return times.length;
  }

  /// Returns the [BarTime] of `tick`.
  public long time(int tick) {
    return times[tick];
  }

  /// Returns a description of `tick`: its number and its time.
  public String describe(int tick) {
    return "tick %d (%s)".formatted(tick, BarTime.format(times[tick]));
  }

  public float today(int tick, int column) {
    return today[tick * columns.today().size() + checked(column, columns.today())];
  }

  public float yesterday(int tick, int column) {
    return yesterday[tick * columns.yesterday().size() + checked(column, columns.yesterday())];
  }

  /// Returns how many ticks, from the first on, have only finite features of today.
  public int finiteToday() {
    return finiteToday;
  }

  /// Returns how many ticks, from the first on, have only finite features of yesterday.
  public int finiteYesterday() {
    return finiteYesterday;
  }

  /// Copies the rows `from` to `from + ticks` of today's matrix into `target`.
  public void copyToday(int from, int ticks, float[] target, int offset) {
    int width = columns.today().size();
    System.arraycopy(today, from * width, target, offset, ticks * width);
  }

  /// Copies the rows `from` to `from + ticks` of yesterday's matrix into `target`.
  public void copyYesterday(int from, int ticks, float[] target, int offset) {
    int width = columns.yesterday().size();
    System.arraycopy(yesterday, from * width, target, offset, ticks * width);
  }

  private static int checked(int column, List<String> columns) {
    if (column < 0 || column >= columns.size()) {
      throw new IndexOutOfBoundsException(
          "column must be one of the %d of %s, was %d".formatted(columns.size(), columns, column));
    }
    return column;
  }

  @Override
  public String toString() {
    return "DayFeatures[%s, %s, %d ticks, %s]".formatted(instrument, date, times.length, columns);
  }
}
