package io.tranche.market;

import java.time.LocalDate;
import java.util.List;

/// One instrument's bars of one trading day: a view into its [BarSeries], never a copy.
///
/// Immutable and safe to share between threads. A tick is a row, 0 the first of the day; NaN means
/// "no value" and a tick without any value is a missing bar.
public final class DayFrame {

  private final BarSeries series;
  private final int day;
  private final int from;
  private final int to;

  DayFrame(BarSeries series, int day, int from, int to) {
    this.series = series;
    this.day = day;
    this.from = from;
    this.to = to;
  }

  public String instrument() {
    return series.instrument();
  }

  public LocalDate date() {
    return series.calendar().date(day);
  }

  public List<String> fields() {
    return series.fields();
  }

  /// Returns the column of `field`, or -1.
  public int fieldIndex(String field) {
    return series.fieldIndex(field);
  }

  /// Returns the number of ticks, missing ones included.
  public int ticks() {
    return to - from;
  }

  /// Returns the number of ticks of a whole day: see [Calendar#plannedTicks].
  public int plannedTicks() {
    return series.calendar().plannedTicks();
  }

  /// Returns the [BarTime] of `tick`.
  public long time(int tick) {
    return series.calendar().time(series.calendar().dayStart(day) + checked(tick));
  }

  public float value(int field, int tick) {
    return series.value(field, from + checked(tick));
  }

  /// Whether there is a bar at any tick.
  public boolean hasBars() {
    for (int tick = 0; tick < ticks(); tick++) {
      if (!isMissing(tick)) {
        return true;
      }
    }
    return false;
  }

  public boolean isMissing(int tick) {
    return series.isMissing(from + checked(tick));
  }

  /// Copies the whole day of `field` into `target` from `offset` on.
  public void copy(int field, float[] target, int offset) {
    series.copy(field, from, target, offset, to - from);
  }

  /// Returns the first tick at or after `time`; [#ticks] if there is none.
  public int ceiling(long time) {
    int index = series.calendar().ceiling(time) - series.calendar().dayStart(day);
    return Math.clamp(index, 0, ticks());
  }

  private int checked(int tick) {
    if (tick < 0 || tick >= to - from) {
      throw new IndexOutOfBoundsException(
          "tick must be in [0, %d), was %d".formatted(to - from, tick));
    }
    return tick;
  }
}
