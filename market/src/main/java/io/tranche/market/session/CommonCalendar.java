package io.tranche.market.session;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Session;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Bars of several sessions on one calendar, which has the times of all: for files that have only
/// one. Trading days are dates.
public final class CommonCalendar implements BarSource {

  private final BarSource source;
  private final Calendar calendar;

  public CommonCalendar(BarSource source) {
    this.source = source;
    var times = new TreeSet<Long>();
    var seen = new HashSet<Calendar>();
    for (String instrument : source.instruments()) {
      Calendar own = source.calendar(instrument);
      if (seen.add(own)) {
        Arrays.stream(own.times(0, own.size())).forEach(times::add);
      }
    }
    this.calendar =
        Calendar.of(
            source.calendar().frequency(), times.stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public @Nullable Session session(String instrument) {
    return source.session(instrument);
  }

  @Override
  public List<String> instruments() {
    return source.instruments();
  }

  @Override
  public List<String> fields() {
    return source.fields();
  }

  @Override
  public BarSeries series(String instrument) {
    BarSeries series = source.series(instrument);
    Calendar own = series.calendar();
    int firstDay = dayOf(own.time(series.firstBar()));
    int from = calendar.dayStart(firstDay);
    int to = calendar.dayEnd(dayOf(own.time(series.firstBar() + series.size() - 1)));
    float[][] columns = new float[series.fields().size()][to - from];
    for (int field = 0; field < columns.length; field++) {
      Arrays.fill(columns[field], Float.NaN);
      for (int row = 0; row < series.size(); row++) {
        int target = calendar.indexOf(own.time(series.firstBar() + row)) - from;
        columns[field][target] = series.value(field, row);
      }
    }
    return BarSeries.wrap(instrument, calendar, firstDay, series.fields(), columns);
  }

  private int dayOf(long time) {
    return calendar.dayOfBar(calendar.indexOf(time));
  }
}
