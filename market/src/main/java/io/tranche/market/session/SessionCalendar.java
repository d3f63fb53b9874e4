package io.tranche.market.session;

import io.tranche.market.Calendar;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The trading days of one session in some bars.
///
/// A day's ticks are those of the session up to the last at which there is a bar: a half day has
/// fewer, a late open or a halt has ticks without bars. So a tick's number says its time.
final class SessionCalendar {

  private static final int NONE = -1;

  /// A night session belongs to the next day with bars, if that is not later than this.
  private static final int LONGEST_WEEKEND = 5;

  private final SessionClock clock;
  private final long[] starts;
  private final Calendar calendar;
  private final int[] targets; // for each time of the bars its index in the calendar; or NONE
  private final boolean isRaw;

  private SessionCalendar(
      SessionClock clock, long[] starts, Calendar calendar, int[] targets, boolean isRaw) {
    this.clock = clock;
    this.starts = starts;
    this.calendar = calendar;
    this.targets = targets;
    this.isRaw = isRaw;
  }

  /// @param starts of all bars
  /// @param present the bars that there are
  static SessionCalendar of(SessionClock clock, Calendar raw, long[] starts, BitSet present) {
    long[] dates = dates(clock, starts, present);
    var lastTicks = new TreeMap<Long, Integer>();
    var evenings = new TreeMap<Long, Long>();
    for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
      if (dates[i] != Long.MIN_VALUE) {
        long time = clock.local(starts[i]);
        int tick = clock.tick(time);
        lastTicks.merge(dates[i], tick, Math::max);
        if (clock.isNight(tick)) {
          evenings.merge(dates[i], clock.evening(tick, time), Math::max);
        }
      }
    }
    var days = new ArrayList<LocalDate>();
    var times = new ArrayList<long[]>();
    var dayStarts = new TreeMap<Long, Integer>();
    int size = 0;
    long before = Long.MIN_VALUE;
    for (long date : lastTicks.navigableKeySet()) {
      long evening = before == Long.MIN_VALUE ? date - 1 : before;
      int ticks = lastTicks.getOrDefault(date, 0) + 1;
      days.add(LocalDate.ofEpochDay(date));
      times.add(clock.times(date, evenings.getOrDefault(date, evening), ticks));
      dayStarts.put(date, size);
      size += ticks;
      before = date;
    }
    Calendar calendar = Calendar.ofDays(raw.frequency(), days, times, clock.ticks());
    int[] targets = new int[starts.length];
    Arrays.fill(targets, NONE);
    var taken = new BitSet();
    for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
      if (dates[i] != Long.MIN_VALUE) {
        long time = clock.local(starts[i]);
        int tick = clock.tick(time);
        int target = dayStarts.getOrDefault(dates[i], 0) + tick;
        boolean isOfTheNight =
            !clock.isNight(tick)
                || clock.evening(tick, time) == evenings.getOrDefault(dates[i], Long.MIN_VALUE);
        if (isOfTheNight && !taken.get(target)) { // an hour comes twice when clocks go back
          taken.set(target);
          targets[i] = target;
        }
      }
    }
    return new SessionCalendar(clock, starts, calendar, targets, isSame(calendar, raw));
  }

  /// Returns the trading day of each bar; the smallest number where it has none.
  private static long[] dates(SessionClock clock, long[] starts, BitSet present) {
    long[] dates = new long[starts.length];
    Arrays.fill(dates, Long.MIN_VALUE);
    var days = new TreeSet<Long>();
    var nights = new BitSet();
    var evenings = new TreeSet<Long>();
    for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
      long time = clock.local(starts[i]);
      int tick = clock.tick(time);
      if (tick >= 0 && clock.isNight(tick)) {
        nights.set(i);
        evenings.add(clock.evening(tick, time));
      } else if (tick >= 0 && clock.trades(tick, clock.date(tick, time))) {
        dates[i] = clock.date(tick, time);
        days.add(dates[i]);
      }
    }
    for (int i = nights.nextSetBit(0); i >= 0; i = nights.nextSetBit(i + 1)) {
      long time = clock.local(starts[i]);
      int tick = clock.tick(time);
      long evening = clock.evening(tick, time);
      Long next = days.higher(evening);
      Long later = evenings.higher(evening); // the day between them has no bars
      boolean isAlone =
          next == null || next > evening + LONGEST_WEEKEND || (later != null && later < next);
      long date = isAlone ? weekdayAfter(evening) : next;
      if (clock.trades(tick, date)) {
        dates[i] = date;
      }
    }
    return dates;
  }

  /// Returns the weekday after an evening, where no bar says which day its night belongs to.
  private static long weekdayAfter(long evening) {
    return switch (LocalDate.ofEpochDay(evening).getDayOfWeek()) {
      case FRIDAY -> evening + 3;
      case SATURDAY -> evening + 2;
      default -> evening + 1;
    };
  }

  private static boolean isSame(Calendar calendar, Calendar raw) {
    if (!calendar.equals(raw)) {
      return false;
    }
    for (int day = 0; day < raw.days(); day++) {
      if (!raw.date(day).equals(calendar.date(day))) {
        return false;
      }
    }
    return true;
  }

  Session session() {
    return clock.session();
  }

  Calendar calendar() {
    return calendar;
  }

  /// Returns the index of a bar of the source in [#calendar]; -1 if it is no tick.
  int target(int index) {
    return targets[index];
  }

  /// Whether every bar is a tick.
  boolean takesAll() {
    return Arrays.stream(targets).allMatch(target -> target >= 0);
  }

  /// Whether every bar is at the same index of the same day as before.
  boolean isRaw() {
    return isRaw;
  }

  /// Returns the exchange's time of a bar.
  long time(int index) {
    return clock.local(starts[index]);
  }

  /// Returns why a bar is no tick.
  String why(int index) {
    long time = time(index);
    int tick = clock.tick(time);
    if (tick < 0) {
      return clock.why(time);
    }
    return clock.trades(tick, clock.date(tick, time))
        ? "a second bar of its tick"
        : "a holiday or after an early close of the session " + clock.session().text();
  }

  /// Returns the dates and times of all, for dates and nothing else.
  static Calendar union(List<SessionCalendar> all) {
    if (all.size() == 1) {
      return all.getFirst().calendar;
    }
    var days = new TreeMap<LocalDate, TreeSet<Long>>();
    for (SessionCalendar each : all) {
      Calendar calendar = each.calendar;
      for (int day = 0; day < calendar.days(); day++) {
        var times = days.computeIfAbsent(calendar.date(day), _ -> new TreeSet<>());
        for (int i = calendar.dayStart(day); i < calendar.dayEnd(day); i++) {
          times.add(calendar.time(i));
        }
      }
    }
    long last = Long.MIN_VALUE;
    var dates = new ArrayList<LocalDate>();
    var kept = new ArrayList<long[]>();
    for (var entry : days.entrySet()) {
      // One session's night may begin before another's day ends.
      var later = entry.getValue().tailSet(last, false);
      if (!later.isEmpty()) {
        dates.add(entry.getKey());
        kept.add(later.stream().mapToLong(Long::longValue).toArray());
        last = later.last();
      }
    }
    return Calendar.ofDays(all.getFirst().calendar.frequency(), dates, kept);
  }

  @Override
  public String toString() {
    return clock.session() + " " + calendar;
  }
}
