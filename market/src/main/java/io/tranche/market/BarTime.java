package io.tranche.market;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/// Bar times as numbers: seconds of exchange-local wall-clock time since 1970-01-01 00:00:00.
///
/// No time zone is ever attached: a bar that the exchange calls 09:30 is 09:30 here. A bar's time
/// is its start.
public final class BarTime {

  public static final int SECONDS_A_DAY = 86_400;

  private static final String COMMON = "0000-00-00 00:00:00"; // a zero stands for any digit

  private BarTime() {}

  public static long of(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC);
  }

  /// Returns midnight at the start of `date`.
  public static long of(LocalDate date) {
    return date.toEpochDay() * SECONDS_A_DAY;
  }

  public static LocalDateTime dateTime(long seconds) {
    return LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
  }

  public static LocalDate date(long seconds) {
    return LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_A_DAY));
  }

  public static int secondOfDay(long seconds) {
    return (int) Math.floorMod(seconds, (long) SECONDS_A_DAY);
  }

  /// Returns `2021-03-01 09:30:00`.
  public static String format(long seconds) {
    var text = new StringBuilder(COMMON.length()).append(date(seconds)).append(' ');
    appendTimeOfDay(seconds, text);
    return text.toString();
  }

  /// Appends `09:30:00`. Not by a format: a calendar has tens of thousands of lines.
  public static void appendTimeOfDay(long seconds, StringBuilder text) {
    int second = secondOfDay(seconds);
    appendPair(second / 3_600, text);
    text.append(':');
    appendPair(second / 60 % 60, text);
    text.append(':');
    appendPair(second % 60, text);
  }

  private static void appendPair(int number, StringBuilder text) {
    text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  /// Reads `2021-03-01`, `2021-03-01 09:30`, `2021-03-01 09:30:00` or the same with a `T`; a
  /// fraction of a second must be zero.
  ///
  /// @throws DateTimeException if `text` is none of these
  public static long parse(String text) {
    if (isCommon(text)) { // files hold millions of these, and a formatter is slow
      return of(
          LocalDateTime.of(
              100 * pair(text, 0) + pair(text, 2),
              pair(text, 5),
              pair(text, 8),
              pair(text, 11),
              pair(text, 14),
              pair(text, 17)));
    }
    String trimmed = text.strip();
    if (trimmed.length() == 10) {
      return of(LocalDate.parse(trimmed));
    }
    LocalDateTime time = LocalDateTime.parse(trimmed.replace(' ', 'T'));
    if (!time.equals(time.truncatedTo(ChronoUnit.SECONDS))) {
      throw new DateTimeException("time must be in whole seconds, was " + text);
    }
    return of(time);
  }

  /// Whether `text` ends with an offset from UTC, as `2021-03-01T09:30:00Z` does.
  public static boolean hasOffset(String text) {
    return offsetAt(text) >= 0;
  }

  /// Reads `2021-03-01T01:30:00Z` or `2021-03-01 09:30:00+08:00` as seconds of UTC.
  ///
  /// @throws DateTimeException if `text` is neither
  public static long parseInstant(String text) {
    int at = offsetAt(text);
    if (at < 0) {
      throw new DateTimeException("time must have an offset such as +08:00 or Z, was " + text);
    }
    long local = parse(text.substring(0, at));
    return local - ZoneOffset.of(text.substring(at).strip()).getTotalSeconds();
  }

  /// Returns the wall-clock time in `zone` of seconds of UTC.
  public static long ofInstant(long seconds, ZoneId zone) {
    return seconds + zone.getRules().getOffset(Instant.ofEpochSecond(seconds)).getTotalSeconds();
  }

  private static int offsetAt(String text) {
    for (int at = "0000-00-00 00:00".length(); at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == 'Z' || c == '+' || c == '-') {
        return at;
      }
    }
    return -1;
  }

  /// Whether `text` has the shape of `2021-03-01 09:30:00`.
  private static boolean isCommon(String text) {
    if (text.length() != COMMON.length()) {
      return false;
    }
    for (int i = 0; i < COMMON.length(); i++) {
      char wanted = COMMON.charAt(i);
      char c = text.charAt(i);
      if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
        return false;
      }
    }
    return true;
  }

  private static int pair(String text, int at) {
    return 10 * (text.charAt(at) - '0') + text.charAt(at + 1) - '0';
  }
}
