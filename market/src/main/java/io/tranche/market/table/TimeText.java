package io.tranche.market.table;

import io.tranche.market.BarTime;
import io.tranche.market.Table;
import java.time.Month;
import java.time.Year;

/// Reads one bar time from bytes: the forms of [BarTime#parse] and [BarTime#parseInstant], without
/// a string.
///
/// Hot path: nothing is allocated.
final class TimeText {

  private static final int UP_TO_MINUTES = "0000-00-00 00:00".length();
  private static final int NONE = Integer.MIN_VALUE;

  private long value;
  private boolean zoned;

  /// Returns the time read by the last successful [#parse], or [Table.Times#MISSING].
  long value() {
    return value;
  }

  /// Whether the time read by the last successful [#parse] had an offset: it is in UTC.
  boolean isZoned() {
    return zoned;
  }

  /// Whether the bytes are a date, a date and a time, nothing, or `NaT`.
  boolean parse(byte[] bytes, int from, int to) {
    int at = from;
    int end = to;
    while (at < end && bytes[at] == ' ') {
      at++;
    }
    while (end > at && bytes[end - 1] == ' ') {
      end--;
    }
    if (at == end || NumberText.is(bytes, at, end, "nat")) {
      value = Table.Times.MISSING;
      return true;
    }
    int offset = 0;
    zoned = false;
    for (int i = at + UP_TO_MINUTES; i < end && !zoned; i++) {
      if (bytes[i] == 'Z' || bytes[i] == '+' || bytes[i] == '-') {
        offset = offset(bytes, i, end);
        if (offset == NONE) {
          return false;
        }
        zoned = true;
        end = i;
      }
    }
    while (zoned && bytes[end - 1] == ' ') {
      end--;
    }
    int length = end - at;
    if (length < 10 || bytes[at + 4] != '-' || bytes[at + 7] != '-') {
      return false;
    }
    int year = two(bytes, at) * 100 + two(bytes, at + 2);
    int month = two(bytes, at + 5);
    int day = two(bytes, at + 8);
    boolean dated = two(bytes, at) >= 0 && two(bytes, at + 2) >= 0 && month >= 1 && month <= 12;
    if (!dated || day < 1 || day > Month.of(month).length(Year.isLeap(year))) {
      return false;
    }
    int second = length == 10 ? 0 : secondOfDay(bytes, at + 10, end);
    value = epochDay(year, month, day) * BarTime.SECONDS_A_DAY + second - offset;
    return second >= 0;
  }

  /// Reads ` hh:mm`, ` hh:mm:ss` or ` hh:mm:ss.000` (or with a T); -1 if it is none of these.
  private static int secondOfDay(byte[] bytes, int at, int end) {
    int length = end - at;
    if (length < 6 || (bytes[at] != ' ' && bytes[at] != 'T') || bytes[at + 3] != ':') {
      return -1;
    }
    int hour = two(bytes, at + 1);
    int minute = two(bytes, at + 4);
    int second = 0;
    if (length > 6) {
      if (length < 9 || bytes[at + 6] != ':' || !isZeroFraction(bytes, at + 9, end)) {
        return -1;
      }
      second = two(bytes, at + 7);
    }
    boolean valid =
        hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
    return valid ? hour * 3600 + minute * 60 + second : -1;
  }

  /// Reads `Z`, `+08`, `+0800` or `+08:00` as seconds.
  private static int offset(byte[] bytes, int at, int end) {
    int length = end - at;
    if (bytes[at] == 'Z') {
      return length == 1 ? 0 : NONE;
    }
    boolean hasColon = length == 6 && bytes[at + 3] == ':';
    if (length != 3 && length != 5 && !hasColon) {
      return NONE;
    }
    int hours = two(bytes, at + 1);
    int minutes = length == 3 ? 0 : two(bytes, end - 2);
    if (hours < 0 || hours > 18 || minutes < 0 || minutes >= 60) {
      return NONE;
    }
    int seconds = hours * 3600 + minutes * 60;
    return bytes[at] == '-' ? -seconds : seconds;
  }

  private static boolean isZeroFraction(byte[] bytes, int at, int end) {
    if (at == end) {
      return true;
    }
    if (bytes[at] != '.' || end - at > 10) {
      return false;
    }
    for (int i = at + 1; i < end; i++) {
      if (bytes[i] != '0') {
        return false;
      }
    }
    return true;
  }

  /// Returns two digits as a number, or a negative number that stays negative in any sum above.
  private static int two(byte[] bytes, int at) {
    int tens = bytes[at] - '0';
    int ones = bytes[at + 1] - '0';
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
  }

  /// Counts days from 1970-01-01, with years that begin in March so that the leap day comes last.
  private static long epochDay(int year, int month, int day) {
    int shifted = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(shifted, 400);
    long yearOfEra = shifted - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
  }
}
