package io.tranche.market;

import io.tranche.market.Session.Segment;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sessions as text and back.
final class SessionText {

  private static final Pattern SEGMENT =
      Pattern.compile("(\\d\\d?:\\d\\d(?::\\d\\d)?)\\s*-\\s*(\\d\\d?:\\d\\d(?::\\d\\d)?)");

  private SessionText() {}

  /// @throws IllegalArgumentException if `text` is not what [#of] writes
  static Session parse(String text) {
    List<Segment> segments = List.of();
    List<Segment> auctions = List.of();
    @Nullable ZoneId zone = null;
    Map<LocalDate, Integer> early = new LinkedHashMap<>();
    var holidays = new TreeSet<LocalDate>();
    try {
      String[] clauses = text.strip().split("\\s*;\\s*", -1);
      for (int i = 0; i < clauses.length; i++) {
        String[] words = clauses[i].split("\\s+", 2);
        String rest = words.length < 2 ? "" : words[1];
        if (i == 0) {
          segments = segments(clauses[0]);
        } else {
          switch (words[0]) {
            case "auction" -> auctions = segments(rest);
            case "zone" -> zone = ZoneId.of(rest);
            case "early" -> {
              String[] pair = rest.split("\\s+", -1);
              early.put(LocalDate.parse(pair[0]), second(pair[pair.length - 1]));
            }
            case "holiday" -> holidays.add(LocalDate.parse(rest));
            default -> throw new IllegalArgumentException(clauses[i]);
          }
        }
      }
      return new Session(Session.CUSTOM, segments, auctions, zone, early, holidays);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          "session must be one of %s or segments such as 09:30-11:30, 13:00-15:00, was '%s'"
              .formatted(Session.names(), text),
          e);
    }
  }

  /// Reads segments in the order of the trading day. What opens later than the segment after it
  /// opens on the evening before, as does a segment that closes before it opens and is followed by
  /// none.
  private static List<Segment> segments(String text) {
    var opens = new ArrayList<Integer>();
    var lengths = new ArrayList<Integer>();
    int evening = 0; // the number of segments that open on the evening before
    for (String part : text.split("\\s*,\\s*", -1)) {
      Matcher matcher = SEGMENT.matcher(part);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(part);
      }
      int open = second(matcher.group(1));
      int close = second(matcher.group(2));
      if (!opens.isEmpty() && open < opens.getLast()) {
        evening = evening == 0 ? opens.size() : -1;
      }
      opens.add(open);
      lengths.add(close > open ? close - open : close + BarTime.SECONDS_A_DAY - open);
    }
    int last = opens.size() - 1;
    if (evening == 0 && opens.get(last) + lengths.get(last) > BarTime.SECONDS_A_DAY) {
      evening = opens.size();
    }
    var segments = new ArrayList<Segment>();
    for (int i = 0; i < opens.size(); i++) {
      int open = opens.get(i) - (i < evening ? BarTime.SECONDS_A_DAY : 0);
      segments.add(new Segment(open, open + lengths.get(i)));
    }
    return segments;
  }

  private static int second(String text) {
    String[] parts = text.split(":", -1);
    int hours = Integer.parseInt(parts[0]);
    int minutes = Integer.parseInt(parts[1]);
    int seconds = parts.length < 3 ? 0 : Integer.parseInt(parts[2]);
    int second = 3600 * hours + 60 * minutes + seconds;
    if (minutes > 59 || seconds > 59 || second > BarTime.SECONDS_A_DAY) {
      throw new IllegalArgumentException(text);
    }
    return second;
  }

  static String of(Session session) {
    var clauses = new StringJoiner("; ");
    clauses.add(text(session.segments()));
    if (!session.auctions().isEmpty()) {
      clauses.add("auction " + text(session.auctions()));
    }
    if (session.zone() != null) {
      clauses.add("zone " + session.zone());
    }
    new TreeMap<>(session.earlyCloses())
        .forEach((date, close) -> clauses.add("early %s %s".formatted(date, time(close))));
    new TreeSet<>(session.holidays()).forEach(date -> clauses.add("holiday " + date));
    return clauses.toString();
  }

  private static String text(List<Segment> segments) {
    var parts = new StringJoiner(", ");
    for (Segment segment : segments) {
      int close = Math.floorMod(segment.close() - 1, BarTime.SECONDS_A_DAY) + 1; // 24:00, not 00:00
      parts.add(time(Math.floorMod(segment.open(), BarTime.SECONDS_A_DAY)) + "-" + time(close));
    }
    return parts.toString();
  }

  private static String time(int second) {
    String minutes = "%02d:%02d".formatted(second / 3600, second / 60 % 60);
    return second % 60 == 0 ? minutes : minutes + ":%02d".formatted(second % 60);
  }
}
