package io.tranche.market;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The width of a bar. Qlib: `Freq`.
///
/// @param seconds the width; a whole day is [#DAY]
public record Frequency(int seconds) implements Comparable<Frequency> {

  public static final Frequency MINUTE = new Frequency(60);
  public static final Frequency DAY = new Frequency(BarTime.SECONDS_A_DAY);

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{0,5})(s|second|min|minute|h|hour|d|day)");

  public Frequency {
    if (seconds <= 0 || seconds > BarTime.SECONDS_A_DAY) {
      throw new IllegalArgumentException(
          "seconds must be in [1, %d], was %d".formatted(BarTime.SECONDS_A_DAY, seconds));
    }
  }

  public static Frequency ofMinutes(int minutes) {
    return new Frequency(Math.multiplyExact(minutes, 60));
  }

  /// Reads `1min`, `5min`, `30minute`, `15s`, `1h`, `day` or `1day`.
  ///
  /// @throws IllegalArgumentException if `text` is no such width or exceeds a day
  public static Frequency parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "frequency must be like 1min, 15s, 1h or day, was '" + text + "'");
    }
    int count = matcher.group(1).isEmpty() ? 1 : Integer.parseInt(matcher.group(1));
    int unit =
        switch (matcher.group(2).charAt(0)) {
          case 's' -> 1;
          case 'm' -> 60;
          case 'h' -> 3600;
          default -> BarTime.SECONDS_A_DAY;
        };
    return new Frequency(Math.multiplyExact(count, unit));
  }

  public boolean isDay() {
    return seconds == BarTime.SECONDS_A_DAY;
  }

  @Override
  public int compareTo(Frequency other) {
    return Integer.compare(seconds, other.seconds);
  }

  /// Returns Qlib's spelling, the one in file names: `1min`, `5min`, `day`.
  @Override
  public String toString() {
    if (isDay()) {
      return "day";
    }
    return seconds % 60 == 0 ? seconds / 60 + "min" : seconds + "s";
  }
}
