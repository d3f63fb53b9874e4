package io.tranche.market.session;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the session of the days of some data. It must be the same on all days, because the session
/// defines the length of a live day.
public final class SessionFinder {

  private static final List<Session> KNOWN =
      List.of(Session.CHINA_STOCKS, Session.US_STOCKS, Session.CHINA_FUTURES, Session.CRYPTO);

  private final String where;
  private final Frequency frequency;
  private @Nullable LocalDate first;
  private int[] starts = new int[0];

  /// @param where what to call the data in errors
  public SessionFinder(String where, Frequency frequency) {
    this.where = where;
    this.frequency = frequency;
  }

  /// @param times the [BarTime] of every tick of the day; an empty day is ignored
  /// @throws DataException if an earlier day had other times
  public void add(LocalDate date, long[] times) {
    if (times.length == 0) {
      return;
    }
    int[] day = new int[times.length];
    for (int i = 0; i < day.length; i++) {
      day[i] = (int) (times[i] - BarTime.of(date));
    }
    if (first == null) {
      first = date;
      starts = day;
    } else if (!Arrays.equals(day, starts)) {
      throw new DataException(
          where + ": " + date, "the ticks of " + first + ", " + text(starts), text(day));
    }
  }

  private static String text(int[] day) {
    return "%d from %s to %s".formatted(day.length, time(day[0]), time(day[day.length - 1]));
  }

  private static LocalTime time(int second) {
    return LocalTime.ofSecondOfDay(Math.floorMod(second, BarTime.SECONDS_A_DAY));
  }

  /// @throws DataException if there was no day, or its ticks do not form a session
  public Session session() {
    if (first == null) {
      throw new DataException(where, "a day with ticks", "none");
    }
    for (Session session : KNOWN) {
      if (Arrays.equals(session.barStarts(frequency), starts)) {
        return session;
      }
    }
    int width = frequency.seconds();
    var segments = new ArrayList<Session.Segment>();
    try {
      int open = starts[0];
      for (int i = 1; i <= starts.length; i++) {
        int close = starts[i - 1] + width;
        if (i == starts.length || starts[i] != close) {
          segments.add(new Session.Segment(open, close));
          open = i == starts.length ? close : starts[i];
        }
      }
      return new Session("custom", segments);
    } catch (IllegalArgumentException e) {
      throw new DataException(
          where + ": " + first, "ticks of %s within a day".formatted(frequency), text(starts));
    }
  }
}
