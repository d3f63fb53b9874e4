package io.tranche.market.session;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Bar times of weekdays of a session, and sources of bars whose values are their times.
final class SessionDays {

  static final LocalDate MONDAY = LocalDate.of(2024, 1, 8);

  private SessionDays() {}

  /// Returns the times of each of `count` weekdays from Monday on.
  static List<long[]> days(Session session, Frequency frequency, int count) {
    var days = new ArrayList<long[]>();
    LocalDate before = MONDAY.minusDays(3);
    LocalDate date = MONDAY;
    while (days.size() < count) {
      if (date.getDayOfWeek().compareTo(DayOfWeek.FRIDAY) <= 0 || session.equals(Session.CRYPTO)) {
        days.add(session.barTimes(date, before, frequency));
        before = date;
      }
      date = date.plusDays(1);
    }
    return days;
  }

  static long[] all(List<long[]> days) {
    return days.stream().flatMapToLong(Arrays::stream).sorted().toArray();
  }

  /// A source on the dates of the union of all times, as tables have it.
  static final class Source implements BarSource {

    private final Calendar calendar;
    private final Map<String, long[]> times = new LinkedHashMap<>();

    Source(Frequency frequency, Map<String, long[]> times) {
      this.times.putAll(times);
      var union = new TreeSet<Long>();
      times.values().forEach(each -> Arrays.stream(each).forEach(union::add));
      this.calendar = Calendar.of(frequency, union.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public Calendar calendar() {
      return calendar;
    }

    @Override
    public List<String> instruments() {
      return List.copyOf(times.keySet());
    }

    @Override
    public List<String> fields() {
      return List.of("close");
    }

    @Override
    public BarSeries series(String instrument) {
      float[] closes = new float[calendar.size()];
      Arrays.fill(closes, Float.NaN);
      for (long time : times.getOrDefault(instrument, new long[0])) {
        closes[calendar.indexOf(time)] = value(time);
      }
      return BarSeries.wrap(instrument, calendar, 0, fields(), new float[][] {closes});
    }
  }

  /// Returns the close of the bar at `time`.
  static float value(long time) {
    return time / 60 % 100_000;
  }
}
