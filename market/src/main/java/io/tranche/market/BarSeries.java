package io.tranche.market;

import java.nio.FloatBuffer;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All bars of one instrument on a shared calendar, one `float` column per field. Immutable.
///
/// The series covers whole trading days of the calendar; NaN stands for "no value". A bar with no
/// value in any field is a missing bar.
public final class BarSeries {

  private final String instrument;
  private final Calendar calendar;
  private final int firstDay;
  private final int endDay;
  private final List<String> fields;
  private final float[][] columns;
  private final DayFrame[] frames;

  private BarSeries(
      String instrument, Calendar calendar, int firstDay, List<String> fields, float[][] columns) {
    this.instrument = instrument;
    this.calendar = calendar;
    this.firstDay = firstDay;
    this.fields = List.copyOf(fields);
    this.columns = columns;
    int end = firstDay;
    int length = columns.length == 0 ? 0 : columns[0].length;
    int base = firstDay < calendar.days() ? calendar.dayStart(firstDay) : calendar.size();
    while (end < calendar.days() && calendar.dayEnd(end) - base <= length) {
      end++;
    }
    this.endDay = end;
    this.frames = new DayFrame[end - firstDay];
    for (int day = firstDay; day < end; day++) {
      frames[day - firstDay] =
          new DayFrame(this, day, calendar.dayStart(day) - base, calendar.dayEnd(day) - base);
    }
  }

  /// Wraps `columns`, which the caller hands over and must not touch again.
  ///
  /// @param firstDay the calendar's day in which row 0 is the first bar
  /// @param fields names without a dollar sign, in lower case, one per column
  /// @throws IllegalArgumentException if the columns are not equally long, do not end with a
  ///   trading day, or do not match `fields`
  public static BarSeries wrap(
      String instrument, Calendar calendar, int firstDay, List<String> fields, float[][] columns) {
    if (columns.length != fields.size() || columns.length == 0) {
      throw new IllegalArgumentException(
          "columns must match the fields %s, was %d".formatted(fields, columns.length));
    }
    for (float[] column : columns) {
      if (column.length != columns[0].length) {
        throw new IllegalArgumentException(
            "columns must be equally long, was %d and %d"
                .formatted(columns[0].length, column.length));
      }
    }
    var series = new BarSeries(instrument, calendar, firstDay, fields, columns);
    int covered =
        series.endDay == firstDay
            ? 0
            : calendar.dayEnd(series.endDay - 1) - calendar.dayStart(firstDay);
    if (covered != columns[0].length) {
      throw new IllegalArgumentException(
          "columns must end with a trading day, was %d rows of which %d are whole days"
              .formatted(columns[0].length, covered));
    }
    return series;
  }

  public String instrument() {
    return instrument;
  }

  public Calendar calendar() {
    return calendar;
  }

  public List<String> fields() {
    return fields;
  }

  /// Returns the column of `field`, or -1.
  public int fieldIndex(String field) {
    return fields.indexOf(field);
  }

  /// Returns the number of bars, missing ones included.
  public int size() {
    return columns[0].length;
  }

  /// Returns the calendar index of row 0.
  public int firstBar() {
    return firstDay < calendar.days() ? calendar.dayStart(firstDay) : calendar.size();
  }

  /// Returns about how much memory these bars need.
  public long bytes() {
    return (long) fields.size() * size() * Float.BYTES;
  }

  public float value(int field, int row) {
    return columns[field][row];
  }

  /// Copies rows `from` to `from + length` of a field into `target`.
  public void copy(int field, int from, float[] target, int offset, int length) {
    System.arraycopy(columns[field], from, target, offset, length);
  }

  /// Appends rows `from` to `from + length` of a field to `target`.
  public void copy(int field, int from, int length, FloatBuffer target) {
    target.put(columns[field], from, length);
  }

  /// Returns the calendar's number of the first day covered.
  public int firstDay() {
    return firstDay;
  }

  /// Returns the calendar's number after the last day covered.
  public int endDay() {
    return endDay;
  }

  /// Returns the frame of the calendar's `day`, or null where this series does not reach.
  ///
  /// Hot path: two comparisons and an array read.
  public @Nullable DayFrame day(int day) {
    return day >= firstDay && day < endDay ? frames[day - firstDay] : null;
  }

  public @Nullable DayFrame day(LocalDate date) {
    int day = calendar.dayOf(date);
    return day < 0 ? null : day(day);
  }

  /// Whether no field has a value at `row`.
  public boolean isMissing(int row) {
    for (float[] column : columns) {
      if (!Float.isNaN(column[row])) {
        return false;
      }
    }
    return true;
  }
}
