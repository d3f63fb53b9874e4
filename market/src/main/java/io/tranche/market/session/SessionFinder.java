package io.tranche.market.session;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Session.Segment;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the session of an instrument from the times of its bars.
///
/// Half days, late opens, halts, missing days and minutes without trades do not matter, as long as
/// most days have what the session has. A built-in session that fits is preferred. What opens at or
/// after 17:00, an hour or more after the bar before, opens the next trading day.
public final class SessionFinder {

  private static final int EVENING = 17 * 3600;
  private static final int NIGHT_GAP = 3600;

  /// The shortest break between bars of a few minutes; illiquid minutes are no break.
  private static final int SHORTEST_BREAK = 300;

  /// As many bars are missing by chance.
  private static final double BY_CHANCE = 3;

  /// On a few days, this share of a segment may be a late open or an early close.
  private static final int FEW_DAYS = 3;

  private static final double SHARE_ON_FEW_DAYS = 0.1;

  /// The share of bars outside a session that are odd trades.
  private static final double ODD_BARS = 0.005;

  /// The share of days that make a time of the day a tick.
  private static final double RARE = 0.1;

  private final String where;
  private final Frequency frequency;
  private final TickCounts counts = new TickCounts();

  /// @param where what to call the data in errors
  public SessionFinder(String where, Frequency frequency) {
    this.where = where;
    this.frequency = frequency;
  }

  /// @param times the [BarTime] of every bar of the trading day
  public void add(LocalDate date, long[] times) {
    for (long time : times) {
      counts.add(date, time);
    }
  }

  /// @throws DataException if there was no bar, or the bars do not form a session
  public Session session() {
    return find(where, counts, frequency, List.of());
  }

  /// @param candidates to try first
  static Session find(
      String where, TickCounts counts, Frequency frequency, List<Session> candidates) {
    if (counts.bars() == 0) {
      throw new DataException(where, "a day with bars", "none");
    }
    for (Session candidate : candidates) {
      if (fits(candidate, counts, frequency)) {
        return candidate;
      }
    }
    @Nullable Session known =
        Session.names().stream()
            .map(Session::named)
            .filter(session -> fits(session, counts, frequency))
            .min(Comparator.comparingInt(session -> session.barStarts(frequency).length))
            .orElse(null);
    return known == null ? ofTimes(where, counts, frequency) : known;
  }

  /// Whether the bars are those of `session`: hardly one outside, and no ticks of a segment missing
  /// on all days but by chance.
  private static boolean fits(Session session, TickCounts counts, Frequency frequency) {
    int width = frequency.seconds();
    double expected = counts.activity() * counts.days(); // bars at a tick
    long inside = 0;
    for (Segment segment : session.segments()) {
      int ticks = Math.ceilDiv(segment.close() - segment.open(), width);
      double slack =
          Math.max(BY_CHANCE / expected, counts.days() <= FEW_DAYS ? SHARE_ON_FEW_DAYS * ticks : 0);
      int last = -1;
      for (int tick = 0; tick <= ticks; tick++) {
        int count = tick == ticks ? 0 : counts.at(segment.open() + tick * width);
        if (count > 0 || tick == ticks) {
          int missing = tick - last - 1;
          boolean isWithin = last >= 0 && tick < ticks;
          if (missing > slack && !(isWithin && missing * width < SHORTEST_BREAK)) {
            return false;
          }
          last = tick;
          inside += count;
        }
      }
    }
    long auctions = 0;
    for (Segment auction : session.auctions()) {
      for (int second = auction.open(); second < auction.close(); second++) {
        auctions += counts.at(second);
      }
    }
    long outside = counts.bars() - inside - auctions;
    return outside <= ODD_BARS * counts.bars();
  }

  /// Makes a session of the times of day at which there are bars.
  private static Session ofTimes(String where, TickCounts counts, Frequency frequency) {
    int width = frequency.seconds();
    int[] starts = fromTheOpen(counts.seconds(rare(counts)), width);
    double expected = counts.activity() * counts.days();
    var segments = new ArrayList<Segment>();
    try {
      int open = starts[0];
      for (int i = 1; i <= starts.length; i++) {
        int close = starts[i - 1] + width;
        if (i == starts.length) {
          segments.add(new Segment(open, Math.min(close, starts[0] + BarTime.SECONDS_A_DAY)));
        } else if (starts[i] != close) {
          int missing = starts[i] - close;
          boolean isBreak =
              missing % width != 0
                  || (missing >= Math.max(width, SHORTEST_BREAK)
                      && missing * expected > BY_CHANCE * width);
          if (isBreak) {
            segments.add(new Segment(open, Math.min(close, starts[i])));
            open = starts[i];
          }
        }
      }
      return new Session(Session.CUSTOM, segments);
    } catch (IllegalArgumentException _) {
      throw new DataException(
          where,
          "bars of %s within a day".formatted(frequency),
          "%d times of day".formatted(starts.length));
    }
  }

  private static int rare(TickCounts counts) {
    return Math.max(1, (int) Math.ceil(RARE * counts.days()));
  }

  /// Returns the times of a trading day in order: those of the evening before are negative.
  private static int[] fromTheOpen(int[] seconds, int width) {
    int count = seconds.length;
    int evening = count;
    for (int i = count - 1; i >= 0 && seconds[i] >= EVENING; i--) {
      int before = i > 0 ? seconds[i - 1] : seconds[count - 1] - BarTime.SECONDS_A_DAY;
      if (seconds[i] - before - width >= NIGHT_GAP) {
        evening = i;
      }
    }
    int[] starts = new int[count];
    for (int i = 0; i < count; i++) {
      int at = (evening + i) % count;
      starts[i] = seconds[at] - (evening < count && at >= evening ? BarTime.SECONDS_A_DAY : 0);
    }
    return starts;
  }
}
