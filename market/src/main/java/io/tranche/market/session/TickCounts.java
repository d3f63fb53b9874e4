package io.tranche.market.session;

import io.tranche.market.BarTime;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// On how many days an instrument has a bar at each second of the day.
final class TickCounts {

  private final int[] counts = new int[BarTime.SECONDS_A_DAY];
  private final Set<Long> dates = new HashSet<>();
  private long lastDate = Long.MIN_VALUE;
  private long bars;

  void add(long time) {
    long date = Math.floorDiv(time, (long) BarTime.SECONDS_A_DAY);
    add(date, time);
  }

  /// Counts a bar on a trading day.
  void add(LocalDate date, long time) {
    add(date.toEpochDay(), time);
  }

  private void add(long date, long time) {
    counts[BarTime.secondOfDay(time)]++;
    if (date != lastDate) {
      dates.add(date);
      lastDate = date;
    }
    bars++;
  }

  /// Returns the number of days with a bar at this second of a trading day.
  int at(int second) {
    return counts[Math.floorMod(second, BarTime.SECONDS_A_DAY)];
  }

  int days() {
    return dates.size();
  }

  long bars() {
    return bars;
  }

  /// Returns the share of days on which a tick that has bars at all has one.
  double activity() {
    long ticks = Arrays.stream(counts).filter(count -> count > 0).count();
    return ticks == 0 ? 0 : (double) bars / ticks / days();
  }

  /// Returns the seconds of the day with bars on at least `least` days, in order.
  int[] seconds(int least) {
    int[] seconds = new int[counts.length];
    int size = 0;
    for (int second = 0; second < counts.length; second++) {
      if (counts[second] >= least) {
        seconds[size++] = second;
      }
    }
    return Arrays.copyOf(seconds, size);
  }
}
