package io.tranche.market;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// When an exchange trades within one trading day.
///
/// Times are seconds from midnight at the start of the trading day; a night session that opens on
/// the evening before has negative times.
///
/// @param segments open intervals in order, not overlapping
public record Session(String name, List<Segment> segments) {

  /// One stretch of continuous trading: `open` inclusive, `close` exclusive.
  public record Segment(int open, int close) {
    public Segment {
      if (open >= close || open <= -BarTime.SECONDS_A_DAY || close > BarTime.SECONDS_A_DAY) {
        throw new IllegalArgumentException(
            "segment must open before it closes and lie within (-24 h, 24 h], was %d .. %d"
                .formatted(open, close));
      }
    }
  }

  /// A-shares: 240 minutes with a lunch break.
  public static final Session CHINA_STOCKS =
      new Session("cn_stocks", List.of(segment(9, 30, 11, 30), segment(13, 0, 15, 0)));

  /// US stocks: 390 minutes.
  public static final Session US_STOCKS = new Session("us_stocks", List.of(segment(9, 30, 16, 0)));

  /// Chinese commodity futures with the longest night session: 21:00 to 02:30, then the day.
  public static final Session CHINA_FUTURES =
      new Session(
          "cn_futures",
          List.of(
              segment(-3, 0, 2, 30), segment(9, 0, 10, 15),
              segment(10, 30, 11, 30), segment(13, 30, 15, 0)));

  /// Round the clock.
  public static final Session CRYPTO = new Session("crypto", List.of(segment(0, 0, 24, 0)));

  private static final Map<String, Session> BY_NAME =
      Map.of(
          CHINA_STOCKS.name, CHINA_STOCKS,
          US_STOCKS.name, US_STOCKS,
          CHINA_FUTURES.name, CHINA_FUTURES,
          CRYPTO.name, CRYPTO);

  public Session {
    segments = List.copyOf(segments);
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("segments must not be empty");
    }
    for (int i = 1; i < segments.size(); i++) {
      if (segments.get(i).open() < segments.get(i - 1).close()) {
        throw new IllegalArgumentException("segments must be in order, was " + segments);
      }
    }
    if (segments.getLast().close() - segments.getFirst().open() > BarTime.SECONDS_A_DAY) {
      throw new IllegalArgumentException("segments must span 24 h at most, was " + segments);
    }
  }

  /// Returns the built-in session of that name.
  ///
  /// @throws IllegalArgumentException if `name` is none of the built-in sessions
  public static Session named(String name) {
    Session session = BY_NAME.get(name);
    if (session == null) {
      throw new IllegalArgumentException(
          "session must be one of %s, was '%s'".formatted(new TreeMap<>(BY_NAME).keySet(), name));
    }
    return session;
  }

  /// Whether trading opens on the evening before the trading day.
  public boolean opensTheEveningBefore() {
    return segments.getFirst().open() < 0;
  }

  /// Returns the start of every bar of width `frequency`, in seconds from the trading day's
  /// midnight.
  public int[] barStarts(Frequency frequency) {
    int count = 0;
    for (Segment segment : segments) {
      count += Math.ceilDiv(segment.close() - segment.open(), frequency.seconds());
    }
    int[] starts = new int[count];
    int next = 0;
    for (Segment segment : segments) {
      for (int start = segment.open(); start < segment.close(); start += frequency.seconds()) {
        starts[next++] = start;
      }
    }
    return starts;
  }

  /// Returns the [BarTime] of every bar of width `frequency` on the trading day `date`.
  ///
  /// @param before the trading day before, on whose evening a night session opens: Monday's is on
  ///   Friday evening
  public long[] barTimes(LocalDate date, LocalDate before, Frequency frequency) {
    int nightEnd =
        opensTheEveningBefore()
            ? segments.getFirst().close()
            : Integer.MIN_VALUE; // no bar starts before this
    long night = BarTime.of(before.plusDays(1));
    int[] starts = barStarts(frequency);
    long[] times = new long[starts.length];
    for (int i = 0; i < starts.length; i++) {
      times[i] = (starts[i] < nightEnd ? night : BarTime.of(date)) + starts[i];
    }
    return times;
  }

  private static Segment segment(int openHour, int openMinute, int closeHour, int closeMinute) {
    return new Segment(openHour * 3600 + openMinute * 60, closeHour * 3600 + closeMinute * 60);
  }
}
