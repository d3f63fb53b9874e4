package io.tranche.execution.baseline;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.cache.CachedBars;
import java.time.LocalDate;

/// The usual market volume of an instrument at a time of day: the mean over the days before the
/// order's.
///
/// Days are matched by time of day, because a day may lack bars; one without any does not count.
/// Safe to use from several threads.
public final class VolumeHistory implements VolumeCurve {

  private final CachedBars bars;
  private final int days;

  /// @param bars stays open; the caller closes it
  /// @param days the number of days before the order's to average; fewer if there are not as many
  /// @throws DataException if the bars have no volumes
  public VolumeHistory(BarSource bars, int days) {
    if (days < 1) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
    requireVolumes(bars);
    this.bars = CachedBars.byMemory(bars);
    this.days = days;
  }

  static void requireVolumes(BarSource bars) {
    if (!bars.fields().contains("volume")) {
      throw new DataException("volumes of earlier days", "bars with volumes", bars.fields());
    }
  }

  /// Returns the trading day of an order.
  static LocalDate date(DecisionView view, Calendar calendar) {
    int bar = calendar.ceiling(view.time(view.firstTick()));
    if (bar >= calendar.size()) {
      throw new DataException(
          view.order().toString(), "bars up to the order's day", "no bar after its start");
    }
    return calendar.date(calendar.dayOfBar(bar));
  }

  /// Returns the mean volume between the ticks `from` (inclusive) and `to` (exclusive) of the day
  /// of `view`; 0 if there is no earlier day.
  @Override
  public double usual(DecisionView view, int from, int to) {
    if (from >= to) {
      return 0;
    }
    BarSeries all = bars.series(view.order().instrument());
    Calendar calendar = all.calendar();
    LocalDate date = date(view, calendar);
    int today = calendar.dayOf(date);
    long open = calendar.time(calendar.dayStart(today));
    long start = offset(view.time(from), date, open);
    long end = to < view.dayTicks() ? offset(view.time(to), date, open) : Long.MAX_VALUE / 2;
    double sum = 0;
    int counted = 0;
    for (int day = today - 1; day >= all.firstDay() && counted < days; day--) {
      DayFrame past = all.day(day);
      if (past != null && past.hasBars()) {
        sum += volume(past, start, end);
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted;
  }

  private static double volume(DayFrame day, long start, long end) {
    int field = day.fieldIndex("volume");
    double sum = 0;
    for (int tick = 0; tick < day.ticks(); tick++) {
      long at = offset(day.time(tick), day.date(), day.time(0));
      if (at >= start && at < end) {
        float volume = day.value(field, tick);
        sum += volume > 0 ? volume : 0;
      }
    }
    return sum;
  }

  /// Returns the seconds from midnight at the start of a trading day. A night session counts from
  /// the midnight after its evening, which is days before if there is a weekend between.
  private static long offset(long time, LocalDate date, long open) {
    long midnight = BarTime.of(date);
    return time < midnight ? time - BarTime.of(BarTime.date(open).plusDays(1)) : time - midnight;
  }
}
