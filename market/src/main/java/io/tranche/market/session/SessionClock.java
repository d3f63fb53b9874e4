package io.tranche.market.session;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads times as ticks of a session.
final class SessionClock {

  private final Session session;
  private final int[] starts; // of each tick, in seconds from the trading day's midnight
  private final int nightEnd;
  private final int[] ticks = new int[BarTime.SECONDS_A_DAY]; // by second of the day; -1 for none
  private final @Nullable ZoneId from;
  private final @Nullable ZoneId to;

  /// @param from the zone of times; null if it is the exchange's
  SessionClock(Session session, Frequency frequency, @Nullable ZoneId from) {
    this.session = session;
    this.starts = session.barStarts(frequency);
    this.nightEnd = session.nightEnd();
    this.from = from;
    this.to = session.zone();
    Arrays.fill(ticks, -1);
    for (int tick = 0; tick < starts.length; tick++) {
      ticks[Math.floorMod(starts[tick], BarTime.SECONDS_A_DAY)] = tick;
    }
  }

  Session session() {
    return session;
  }

  /// Returns the number of ticks of a whole day.
  int ticks() {
    return starts.length;
  }

  /// Returns the exchange's time of `time`.
  long local(long time) {
    return from == null || to == null
        ? time
        : BarTime.of(BarTime.dateTime(time).atZone(from).withZoneSameInstant(to).toLocalDateTime());
  }

  /// Returns the tick that starts at the exchange's `time`; -1 if none does.
  int tick(long time) {
    return ticks[BarTime.secondOfDay(time)];
  }

  boolean isNight(int tick) {
    return starts[tick] < nightEnd;
  }

  /// Returns the date of the evening on which the night session of `time` opened.
  long evening(int tick, long time) {
    return epochDay(time) - (starts[tick] < 0 ? 0 : 1);
  }

  /// Returns the trading day of a tick outside the night session.
  long date(int tick, long time) {
    return epochDay(time) + (starts[tick] < 0 ? 1 : 0);
  }

  private static long epochDay(long time) {
    return Math.floorDiv(time, (long) BarTime.SECONDS_A_DAY);
  }

  /// Whether the session has this tick on that trading day.
  boolean trades(int tick, long date) {
    LocalDate day = LocalDate.ofEpochDay(date);
    return !session.holidays().contains(day) && starts[tick] < session.closeOf(day);
  }

  /// Returns the times of the first `count` ticks of a trading day.
  ///
  /// @param evening the date on whose evening a night session opens
  long[] times(long date, long evening, int count) {
    long[] times = new long[count];
    for (int tick = 0; tick < count; tick++) {
      times[tick] = (isNight(tick) ? evening + 1 : date) * BarTime.SECONDS_A_DAY + starts[tick];
    }
    return times;
  }

  /// Returns what a bar at the exchange's `time` is, if not a tick.
  String why(long time) {
    int second = BarTime.secondOfDay(time);
    return session.isAuction(second) || session.isAuction(second - BarTime.SECONDS_A_DAY)
        ? "an auction of the session " + session.text()
        : "outside the session " + session.text();
  }
}
