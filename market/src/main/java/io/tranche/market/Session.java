package io.tranche.market;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// When an exchange trades within one trading day.
///
/// Times are seconds from midnight at the start of the trading day; a night session that opens on
/// the evening before has negative times. The text of a session is a name, or segments:
/// `21:00-02:30, 09:00-15:00; auction 08:55-09:00; zone Asia/Shanghai; early 2026-02-13 11:30;
/// holiday 2026-02-16`.
///
/// @param segments open intervals in order, not overlapping
/// @param auctions intervals whose bars are no ticks, such as an opening auction
/// @param zone of the exchange; null if not known
/// @param earlyCloses seconds from midnight at which trading ends on these dates
/// @param holidays dates without trading
public record Session(
    String name,
    List<Segment> segments,
    List<Segment> auctions,
    @Nullable ZoneId zone,
    Map<LocalDate, Integer> earlyCloses,
    Set<LocalDate> holidays) {

  /// The name of a session that has none.
  public static final String CUSTOM = "custom";

  /// One stretch of continuous trading: `open` inclusive, `close` exclusive.
  public record Segment(int open, int close) {
    public Segment {
      if (open >= close || open <= -BarTime.SECONDS_A_DAY || close > BarTime.SECONDS_A_DAY) {
        throw new IllegalArgumentException(
            "segment must open before it closes and lie within (-24 h, 24 h], was %d .. %d"
                .formatted(open, close));
      }
    }

    boolean contains(int start) {
      return start >= open && start < close;
    }
  }

  /// A-shares: 240 minutes with a lunch break.
  public static final Session CHINA_STOCKS =
      named("cn_stocks", "09:30-11:30, 13:00-15:00; auction 09:15-09:30; zone Asia/Shanghai");

  /// US stocks: 390 minutes.
  public static final Session US_STOCKS = named("us_stocks", "09:30-16:00; zone America/New_York");

  /// Chinese commodity futures with the longest night session: 21:00 to 02:30, then the day.
  public static final Session CHINA_FUTURES = chinaFutures("cn_futures", "21:00-02:30, ");

  /// Round the clock.
  public static final Session CRYPTO = named("crypto", "00:00-24:00; zone UTC");

  private static final Map<String, Session> BY_NAME = new TreeMap<>();

  static {
    for (Session session :
        List.of(
            CHINA_STOCKS,
            US_STOCKS,
            CHINA_FUTURES,
            chinaFutures("cn_futures_0100", "21:00-01:00, "),
            chinaFutures("cn_futures_2300", "21:00-23:00, "),
            chinaFutures("cn_futures_day", ""),
            CRYPTO,
            named("hk_stocks", "09:30-12:00, 13:00-16:00; zone Asia/Hong_Kong"),
            named("jp_stocks", "09:00-11:30, 12:30-15:30; zone Asia/Tokyo"),
            named("in_stocks", "09:15-15:30; zone Asia/Kolkata"),
            named("uk_stocks", "08:00-16:30; zone Europe/London"),
            named("eu_stocks", "09:00-17:30; zone Europe/Paris"),
            named("cme", "18:00-17:00; zone America/New_York"))) {
      BY_NAME.put(session.name, session);
    }
  }

  public Session {
    segments = List.copyOf(segments);
    auctions = List.copyOf(auctions);
    earlyCloses = Map.copyOf(earlyCloses);
    holidays = Set.copyOf(holidays);
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("segments must not be empty");
    }
    requireOrder(segments);
    requireOrder(auctions);
    if (segments.getLast().close() - segments.getFirst().open() > BarTime.SECONDS_A_DAY) {
      throw new IllegalArgumentException("segments must span 24 h at most, was " + segments);
    }
  }

  /// Makes a session of segments alone.
  public Session(String name, List<Segment> segments) {
    this(name, segments, List.of(), null, Map.of(), Set.of());
  }

  private static void requireOrder(List<Segment> segments) {
    for (int i = 1; i < segments.size(); i++) {
      if (segments.get(i).open() < segments.get(i - 1).close()) {
        throw new IllegalArgumentException("segments must be in order, was " + segments);
      }
    }
  }

  private static Session chinaFutures(String name, String night) {
    return named(name, night + "09:00-10:15, 10:30-11:30, 13:30-15:00; zone Asia/Shanghai");
  }

  private static Session named(String name, String text) {
    return SessionText.parse(text).withName(name);
  }

  /// Returns the built-in session of that name.
  ///
  /// @throws IllegalArgumentException if `name` is none of the built-in sessions
  public static Session named(String name) {
    Session session = BY_NAME.get(name);
    if (session == null) {
      throw new IllegalArgumentException(
          "session must be one of %s, was '%s'".formatted(BY_NAME.keySet(), name));
    }
    return session;
  }

  /// Returns the names of the built-in sessions.
  public static Set<String> names() {
    return new TreeSet<>(BY_NAME.keySet());
  }

  /// Returns the built-in session with this name and these segments, or a session of them alone.
  public static Session of(String name, List<Segment> segments) {
    Session known = BY_NAME.get(name);
    return known != null && known.segments.equals(segments) ? known : new Session(name, segments);
  }

  /// Reads what [#text] writes: a built-in name, or segments.
  ///
  /// @throws IllegalArgumentException if `text` is neither
  public static Session parse(String text) {
    Session known = BY_NAME.get(text.strip());
    return known == null ? SessionText.parse(text) : known;
  }

  /// Returns the name of a built-in session, else its segments and what else it has.
  public String text() {
    return equals(BY_NAME.get(name)) ? name : SessionText.of(this);
  }

  Session withName(String other) {
    return new Session(other, segments, auctions, zone, earlyCloses, holidays);
  }

  /// Whether trading opens on the evening before the trading day.
  public boolean opensTheEveningBefore() {
    return segments.getFirst().open() < 0;
  }

  /// Returns the close of the night session, which opens on the evening of the trading day before;
  /// if there is none, the earliest of all numbers. One segment from evening to afternoon is a day.
  public int nightEnd() {
    int end = Integer.MIN_VALUE;
    for (Segment segment : segments.subList(0, segments.size() - 1)) {
      end = segment.open() < 0 ? segment.close() : end;
    }
    return end;
  }

  /// Whether bars that start at this second of the day are auctions.
  public boolean isAuction(int start) {
    return auctions.stream().anyMatch(auction -> auction.contains(start));
  }

  /// Returns the second of the trading day at which trading ends on `date`.
  public int closeOf(LocalDate date) {
    int close = segments.getLast().close();
    return Math.min(earlyCloses.getOrDefault(date, close), close);
  }

  /// Returns the start of every bar of width `frequency`, in seconds from the trading day's
  /// midnight.
  public int[] barStarts(Frequency frequency) {
    var starts = new ArrayList<Integer>();
    for (Segment segment : segments) {
      for (int start = segment.open(); start < segment.close(); start += frequency.seconds()) {
        starts.add(start);
      }
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }

  /// Returns the [BarTime] of every bar of width `frequency` on the trading day `date`: none on a
  /// holiday, and none after an early close.
  ///
  /// @param before the trading day before, on whose evening a night session opens: Monday's is on
  ///   Friday evening
  public long[] barTimes(LocalDate date, LocalDate before, Frequency frequency) {
    int nightEnd = nightEnd();
    int close = holidays.contains(date) ? Integer.MIN_VALUE : closeOf(date);
    long night = BarTime.of(before.plusDays(1));
    return Arrays.stream(barStarts(frequency))
        .filter(start -> start < close)
        .mapToLong(start -> (start < nightEnd ? night : BarTime.of(date)) + start)
        .toArray();
  }

  @Override
  public String toString() {
    return text();
  }
}
