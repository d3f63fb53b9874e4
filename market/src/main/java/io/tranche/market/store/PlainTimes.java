package io.tranche.market.store;

import io.tranche.market.BarTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads a calendar whose lines all have the shape of `2021-03-01 09:30:00` and are in order, as
/// nearly all are. Opening a store is mostly the reading of its calendar, so no text is made of the
/// lines.
final class PlainTimes {

  private static final int LINE = "0000-00-00 00:00:00\n".length();
  private static final int TIME = "0000-00-00 ".length(); // where it begins

  private final byte[] text;

  private PlainTimes(byte[] text) {
    this.text = text;
  }

  /// Returns the times of `file`; null if there is no such file, or it has another form.
  static long @Nullable [] read(Path file) {
    try {
      return new PlainTimes(Files.readAllBytes(file)).times();
    } catch (IOException | DateTimeException _) {
      return null; // the caller reads it line by line and says what is wrong
    }
  }

  private long @Nullable [] times() {
    if (text.length == 0 || text.length % LINE != 0) {
      return null;
    }
    long[] times = new long[text.length / LINE];
    long midnight = 0;
    for (int i = 0; i < times.length; i++) {
      int at = i * LINE;
      if (i == 0 || !hasDateOfLineBefore(at)) {
        if (text[at + 4] != '-' || text[at + 7] != '-' || text[at + 10] != ' ') {
          return null;
        }
        int year = 100 * pair(at) + pair(at + 2);
        midnight = BarTime.of(LocalDate.of(year, pair(at + 5), pair(at + 8)));
      }
      int hour = pair(at + TIME);
      int minute = pair(at + TIME + 3);
      int second = pair(at + TIME + 6);
      times[i] = midnight + 3_600L * hour + 60L * minute + second;
      boolean isOrdered = i == 0 || times[i] > times[i - 1];
      if (text[at + TIME + 2] != ':'
          || text[at + TIME + 5] != ':'
          || text[at + LINE - 1] != '\n'
          || hour > 23
          || minute > 59
          || second > 59
          || !isOrdered) {
        return null;
      }
    }
    return times;
  }

  private boolean hasDateOfLineBefore(int at) {
    return Arrays.equals(text, at, at + TIME, text, at - LINE, at - LINE + TIME);
  }

  /// Returns a number of two digits.
  ///
  /// @throws DateTimeException if they are none
  private int pair(int at) {
    int tens = text[at] - '0';
    int ones = text[at + 1] - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) {
      throw new DateTimeException("time must have digits, was something else");
    }
    return 10 * tens + ones;
  }
}
