package io.tranche.market;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bar times of a market, grouped into trading days. Immutable.
///
/// Times are [BarTime] seconds, strictly increasing. A trading day is a run of bars; if the session
/// opens on the evening before, those bars belong to the next date with a day session.
public final class Calendar {

  private final Frequency frequency;
  private final long[] times;
  private final int[] dayStarts; // one more than there are days
  private final int[] dayDates; // epoch days, strictly increasing
  private final int longestDay;
  private final int plannedTicks;

  private Calendar(
      Frequency frequency, long[] times, int[] dayStarts, int[] dayDates, int plannedTicks) {
    this.frequency = frequency;
    this.times = times;
    this.dayStarts = dayStarts;
    this.dayDates = dayDates;
    int longest = 0;
    for (int day = 1; day < dayDates.length; day++) {
      longest = ticks(day) > ticks(longest) ? day : longest;
    }
    this.longestDay = longest;
    this.plannedTicks = Math.max(plannedTicks, dayDates.length == 0 ? 0 : ticks(longest));
  }

  /// Makes a calendar whose trading days are calendar dates.
  ///
  /// @throws IllegalArgumentException if `times` is not strictly increasing
  public static Calendar of(Frequency frequency, long[] times) {
    return of(frequency, times, null);
  }

  /// Makes a calendar whose trading days are those of `session` (calendar dates when null).
  ///
  /// @throws IllegalArgumentException if `times` is not strictly increasing
  public static Calendar of(Frequency frequency, long[] times, @Nullable Session session) {
    long[] copy = times.clone();
    requireIncreasing(copy);
    int[] dates = tradingDates(copy, session);
    int[] starts = new int[copy.length + 1];
    int[] days = new int[copy.length];
    int count = 0;
    for (int i = 0; i < copy.length; i++) {
      if (count == 0 || dates[i] != days[count - 1]) {
        starts[count] = i;
        days[count++] = dates[i];
      }
    }
    starts[count] = copy.length;
    return new Calendar(
        frequency, copy, Arrays.copyOf(starts, count + 1), Arrays.copyOf(days, count), 0);
  }

  /// Makes a calendar from known trading days.
  ///
  /// @param dates of the days, in order
  /// @param times of each day's bars, of which there is at least one
  /// @throws IllegalArgumentException if dates or times are not strictly increasing
  public static Calendar ofDays(Frequency frequency, List<LocalDate> dates, List<long[]> times) {
    return ofDays(frequency, dates, times, 0);
  }

  /// Makes a calendar from known trading days of a session.
  ///
  /// @param plannedTicks of a whole day of the session: see [#plannedTicks]
  /// @throws IllegalArgumentException if dates or times are not strictly increasing
  public static Calendar ofDays(
      Frequency frequency, List<LocalDate> dates, List<long[]> times, int plannedTicks) {
    long[] all = times.stream().flatMapToLong(Arrays::stream).toArray();
    requireIncreasing(all);
    int[] starts = new int[dates.size() + 1];
    int[] days = new int[dates.size()];
    for (int day = 0; day < days.length; day++) {
      days[day] = Math.toIntExact(dates.get(day).toEpochDay());
      starts[day + 1] = starts[day] + times.get(day).length;
      if (starts[day + 1] == starts[day] || (day > 0 && days[day] <= days[day - 1])) {
        throw new IllegalArgumentException(
            "days must be strictly increasing and have bars, was %s at %d"
                .formatted(dates.get(day), day));
      }
    }
    return new Calendar(frequency, all, starts, days, plannedTicks);
  }

  private static void requireIncreasing(long[] times) {
    for (int i = 1; i < times.length; i++) {
      if (times[i] <= times[i - 1]) {
        throw new IllegalArgumentException(
            "times must be strictly increasing, was %s after %s at %d"
                .formatted(BarTime.format(times[i]), BarTime.format(times[i - 1]), i));
      }
    }
  }

  private static int[] tradingDates(long[] times, @Nullable Session session) {
    int[] dates = new int[times.length];
    if (session == null || !session.opensTheEveningBefore()) {
      long tomorrow = Long.MIN_VALUE;
      for (int i = 0; i < dates.length; i++) {
        if (times[i] < tomorrow) {
          dates[i] = dates[i - 1];
        } else {
          dates[i] = (int) Math.floorDiv(times[i], (long) BarTime.SECONDS_A_DAY);
          tomorrow = (dates[i] + 1L) * BarTime.SECONDS_A_DAY;
        }
      }
      return dates;
    }
    Session.Segment opening = session.segments().getFirst();
    int evening = opening.open() + BarTime.SECONDS_A_DAY; // when the night session opens
    int morning = Math.max(opening.close(), 0); // and when it is over
    int nextDay = Integer.MAX_VALUE;
    for (int i = times.length - 1; i >= 0; i--) {
      int date = (int) Math.floorDiv(times[i], (long) BarTime.SECONDS_A_DAY);
      int second = BarTime.secondOfDay(times[i]);
      boolean night = second >= evening || second < morning;
      if (!night) {
        nextDay = date;
        dates[i] = date;
      } else if (nextDay != Integer.MAX_VALUE) {
        dates[i] = nextDay; // Friday's night session belongs to Monday
      } else {
        dates[i] = second >= evening ? date + 1 : date; // the data end within the night session
      }
    }
    return dates;
  }

  public Frequency frequency() {
    return frequency;
  }

  /// Returns the number of bars.
  public int size() {
    return times.length;
  }

  public long time(int index) {
    return times[index];
  }

  /// Returns a copy of bars `from` (inclusive) to `to` (exclusive).
  public long[] times(int from, int to) {
    return Arrays.copyOfRange(times, from, to);
  }

  /// Returns the index of the bar at exactly `time`, or -1.
  public int indexOf(long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -1;
  }

  /// Returns the index of the first bar at or after `time`; [#size] if there is none.
  public int ceiling(long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -index - 1;
  }

  /// Returns the index of the last bar at or before `time`; -1 if there is none.
  public int floor(long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -index - 2;
  }

  public int days() {
    return dayDates.length;
  }

  public LocalDate date(int day) {
    return LocalDate.ofEpochDay(dayDates[day]);
  }

  /// Returns the number of the trading day `date`, or -1 if nothing trades on it.
  public int dayOf(LocalDate date) {
    long epochDay = date.toEpochDay();
    if (epochDay < Integer.MIN_VALUE || epochDay > Integer.MAX_VALUE) {
      return -1;
    }
    int day = Arrays.binarySearch(dayDates, (int) epochDay);
    return day >= 0 ? day : -1;
  }

  /// Returns the number of the trading day that holds bar `index`.
  public int dayOfBar(int index) {
    int day = Arrays.binarySearch(dayStarts, 0, dayDates.length, index);
    return day >= 0 ? day : -day - 2;
  }

  public int dayStart(int day) {
    return dayStarts[day];
  }

  private int ticks(int day) {
    return dayStarts[day + 1] - dayStarts[day];
  }

  /// Returns the number of the first day with the most bars; 0 if there are no days.
  public int longestDay() {
    return longestDay;
  }

  /// Returns the number of ticks of a whole day: the session's where it is known, else those of the
  /// longest day. A half day has fewer, but its first ticks do not know that.
  public int plannedTicks() {
    return plannedTicks;
  }

  /// Returns the index after the last bar of `day`.
  public int dayEnd(int day) {
    return dayStarts[day + 1];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Calendar that
        && frequency.equals(that.frequency)
        && Arrays.equals(times, that.times)
        && Arrays.equals(dayStarts, that.dayStarts)
        && plannedTicks == that.plannedTicks;
  }

  @Override
  public int hashCode() {
    return 31 * frequency.hashCode() + Arrays.hashCode(times);
  }

  @Override
  public String toString() {
    return times.length == 0
        ? "Calendar[" + frequency + ", empty]"
        : "Calendar[%s, %d days, %s .. %s]"
            .formatted(
                frequency,
                days(),
                BarTime.format(times[0]),
                BarTime.format(times[times.length - 1]));
  }
}
