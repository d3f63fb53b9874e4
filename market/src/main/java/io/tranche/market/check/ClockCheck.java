package io.tranche.market.check;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.session.BarLabel;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks that bars are on the clock of their session: neither in another time zone, nor labelled
/// by their end, nor outside the trading hours.
///
/// All instruments of a file are counted together, minute of the day by minute of the day, because
/// a file has one clock.
final class ClockCheck {

  private static final int MINUTES = BarTime.SECONDS_A_DAY / 60;
  private static final int SHIFT = 15; // time zones differ by multiples of this many minutes
  private static final double MOST = 0.98;
  private static final double FEW = 0.9;
  private static final double CLEARLY = 1.5;

  private final Path file;
  private final Findings findings;
  private final int width;
  private final int lag; // from the start of a bar to its label, in seconds
  private final long[] bars = new long[MINUTES];
  private final double[] volumes = new double[MINUTES];
  private long all;

  private ClockCheck(
      Path file,
      Collection<BarStream> streams,
      Frequency frequency,
      BarLabel label,
      Findings findings) {
    this.file = file;
    this.findings = findings;
    this.width = Math.max(frequency.seconds() / 60, 1);
    this.lag = label == BarLabel.END ? frequency.seconds() : 0;
    for (BarStream stream : streams) {
      for (int i = 0; i < stream.count(); i++) {
        bars[minuteOf(stream.times()[i])]++;
      }
      for (int minute = 0; minute < MINUTES; minute++) {
        volumes[minute(minute * 60 - lag)] += stream.volume(minute);
      }
      all += stream.count();
    }
  }

  /// @param stated the session that was given; null to compare with the exchanges we know
  /// @param label how times are said to label bars
  static void check(
      Path file,
      Collection<BarStream> streams,
      Frequency frequency,
      @Nullable Session stated,
      BarLabel label,
      Findings findings) {
    if (frequency.isDay()) {
      return;
    }
    var clock = new ClockCheck(file, streams, frequency, label, findings);
    if (clock.all == 0) {
      return;
    }
    if (stated == null) {
      clock.compareWithKnown();
    } else {
      clock.compareWith(stated, streams);
    }
  }

  private void compareWith(Session session, Collection<BarStream> streams) {
    boolean[] open = open(session);
    double inside = inside(open, 0);
    int shift = bestShift(open);
    if (isEndLabelled(session, open)) {
      findings.add(Rule.END_LABELS, file, closes(session));
    } else if (inside < FEW && inside(open, shift) > MOST) {
      findings.add(Rule.WRONG_CLOCK, file, shifted(session, shift));
    } else {
      streams.forEach(stream -> reportOutside(stream, open));
      checkPeak(session, open);
    }
  }

  /// Says so if the bars fit an exchange that we know on another clock only.
  private void compareWithKnown() {
    List<Session> known = List.of(Session.CHINA_STOCKS, Session.US_STOCKS);
    for (Session session : known) {
      boolean[] open = open(session);
      if (isEndLabelled(session, open)) {
        findings.add(Rule.END_LABELS, file, closes(session));
        return;
      }
      if (inside(open, 0) > FEW) {
        return;
      }
    }
    for (Session session : known) {
      boolean[] open = open(session);
      int shift = bestShift(open);
      if (inside(open, shift) > MOST && covered(open, shift) > MOST) {
        findings.add(Rule.FOREIGN_CLOCK, file, shifted(session, shift));
        return;
      }
    }
  }

  private static String shifted(Session session, int shift) {
    return "the hours of %s shifted by %s%02d:%02d, as in another time zone"
        .formatted(
            session.name(), shift < 0 ? "-" : "+", Math.abs(shift) / 60, Math.abs(shift) % 60);
  }

  private static String closes(Session session) {
    return "bars at the close of %s and none at its open".formatted(session.name());
  }

  /// Returns the minutes of the day at which the session is open.
  private static boolean[] open(Session session) {
    var open = new boolean[MINUTES];
    for (Session.Segment segment : session.segments()) {
      for (int second = segment.open(); second < segment.close(); second += 60) {
        open[minute(second)] = true;
      }
    }
    return open;
  }

  /// Returns the minute of the day at which the bar starts.
  private int minuteOf(long time) {
    return BarTime.secondOfDay(time - lag) / 60;
  }

  private static int minute(int second) {
    return Math.floorMod(second / 60, MINUTES);
  }

  /// Returns the share of bars that are within the session if it opens `shift` minutes later.
  private double inside(boolean[] open, int shift) {
    long count = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      count += open[Math.floorMod(minute - shift, MINUTES)] ? bars[minute] : 0;
    }
    return (double) count / all;
  }

  /// Returns the share of the session's bars that exist if it opens `shift` minutes later.
  private double covered(boolean[] open, int shift) {
    int ticks = 0;
    int there = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      if (open[Math.floorMod(minute - shift, MINUTES)]) {
        ticks++;
        there += hasBar(minute) ? 1 : 0;
      }
    }
    return (double) there / ticks;
  }

  /// Whether a bar covers the minute.
  private boolean hasBar(int minute) {
    for (int back = 0; back < width; back++) {
      if (bars[Math.floorMod(minute - back, MINUTES)] > 0) {
        return true;
      }
    }
    return false;
  }

  private int bestShift(boolean[] open) {
    int best = 0;
    for (int shift = -MINUTES / 2; shift <= MINUTES / 2; shift += SHIFT) {
      double gain = inside(open, shift) - inside(open, best);
      if (gain > 0 || (gain == 0 && rarity(shift) < rarity(best))) {
        best = shift;
      }
    }
    return best;
  }

  /// Wide bars fit several shifts: zones mostly differ by whole hours, and neighbours are likelier.
  private static int rarity(int shift) {
    return Math.abs(shift) + (shift % 60 == 0 ? 0 : MINUTES);
  }

  /// Whether most days have a bar at a close, after which nothing trades, and none at an open,
  /// before which nothing trades.
  private boolean isEndLabelled(Session session, boolean[] open) {
    long atOpens = 0;
    long atCloses = 0;
    for (Session.Segment segment : session.segments()) {
      atOpens += open[minute(segment.open() - 60)] ? 0 : bars[minute(segment.open())];
      atCloses += open[minute(segment.close())] ? 0 : bars[minute(segment.close())];
    }
    return atCloses > 0 && atOpens * 10 < atCloses && inside(open, width) > MOST;
  }

  private void reportOutside(BarStream stream, boolean[] open) {
    int outside = 0;
    long first = 0;
    for (int i = 0; i < stream.count(); i++) {
      long time = stream.times()[i];
      if (!open[minuteOf(time)]) {
        first = outside++ == 0 ? time : first;
      }
    }
    if (outside > 0) {
      findings.add(
          Rule.OUTSIDE_SESSION,
          file,
          () -> "",
          stream.instrument(),
          first,
          "%d of %d bars outside it, this the first".formatted(outside, stream.count()));
    }
  }

  /// Most volume trades near the open or the close of a segment. A clear peak elsewhere means that
  /// the clock is off in a way that no bar outside the session shows.
  private void checkPeak(Session session, boolean[] open) {
    int peak = 0;
    int minutes = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      peak = volumes[minute] > volumes[peak] ? minute : peak;
      minutes += open[minute] ? 1 : 0;
    }
    if (volumes[peak] == 0 || minutes == MINUTES) {
      return; // no volume, or no open and close
    }
    double usual = 0;
    int near = Math.max(minutes / 10, 2 * width);
    for (int minute = 0; minute < MINUTES; minute++) {
      if (isNear(session, minute, near)) {
        usual = Math.max(usual, volumes[minute]);
      }
    }
    if (volumes[peak] > CLEARLY * usual) {
      findings.add(Rule.VOLUME_PEAK, file, "%02d:%02d".formatted(peak / 60, peak % 60));
    }
  }

  private static boolean isNear(Session session, int minute, int near) {
    for (Session.Segment segment : session.segments()) {
      if (distance(minute, minute(segment.open())) <= near
          || distance(minute, minute(segment.close())) <= near) {
        return true;
      }
    }
    return false;
  }

  private static int distance(int a, int b) {
    int apart = Math.abs(a - b);
    return Math.min(apart, MINUTES - apart);
  }
}
