package io.tranche.execution.baseline;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import java.util.LinkedHashMap;

/// The usual market volume of an instrument at a time of day: the mean over the days before the
/// order's.
///
/// Days are matched by time of day, because a day may lack bars. Safe to use from several threads.
public final class VolumeHistory {

  private static final int SERIES_KEPT = 16;

  private final BarSource bars;
  private final int days;
  private final LinkedHashMap<String, BarSeries> series = new LinkedHashMap<>(16, 0.75f, true);

  /// @param bars stays open; the caller closes it
  /// @param days the number of days before the order's to average; fewer if there are not as many
  /// @throws DataException if the bars have no volumes
  public VolumeHistory(BarSource bars, int days) {
    if (days < 1) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
    if (!bars.fields().contains("volume")) {
      throw new DataException("volumes of earlier days", "bars with volumes", bars.fields());
    }
    this.bars = bars;
    this.days = days;
  }

  /// Returns the mean volume between the ticks `from` (inclusive) and `to` (exclusive) of the day
  /// of `view`; 0 if there is no earlier day.
  public double usual(DecisionView view, int from, int to) {
    if (from >= to) {
      return 0;
    }
    BarSeries all = series(view.order().instrument());
    Calendar calendar = all.calendar();
    int bar = calendar.ceiling(view.time(view.firstTick()));
    if (bar >= calendar.size()) {
      throw new DataException(
          view.order().toString(), "bars up to the order's day", "none after it began");
    }
    int today = calendar.dayOfBar(bar);
    long midnight = BarTime.of(calendar.date(today));
    long start = view.time(from) - midnight;
    long end = to < view.dayTicks() ? view.time(to) - midnight : Long.MAX_VALUE / 2;
    double sum = 0;
    int counted = 0;
    for (int day = today - 1; day >= all.firstDay() && counted < days; day--) {
      DayFrame past = all.day(day);
      if (past != null) {
        sum += volume(past, start, end);
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted;
  }

  private static double volume(DayFrame day, long start, long end) {
    int field = day.fieldIndex("volume");
    long midnight = BarTime.of(day.date());
    double sum = 0;
    int to = day.ceiling(midnight + end);
    for (int tick = day.ceiling(midnight + start); tick < to; tick++) {
      float volume = day.value(field, tick);
      sum += volume > 0 ? volume : 0;
    }
    return sum;
  }

  private BarSeries series(String instrument) {
    synchronized (series) {
      BarSeries kept = series.get(instrument);
      if (kept != null) {
        return kept;
      }
    }
    BarSeries read = bars.series(instrument);
    synchronized (series) {
      series.put(instrument, read);
      if (series.size() > SERIES_KEPT) {
        series.remove(series.firstEntry().getKey());
      }
    }
    return read;
  }
}
