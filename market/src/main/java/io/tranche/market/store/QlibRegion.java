package io.tranche.market.store;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Session;
import io.tranche.market.Session.Segment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The region of a Qlib configuration: the clock that steps are cut from, and what an exchange does
/// where its settings are silent. Qlib: `C.region`.
public enum QlibRegion {
  CN("09:30-11:30, 13:00-15:00", 0.095, 100),
  US("09:30-16:00", Double.POSITIVE_INFINITY, 1),
  TW("09:00-13:30", 0.1, 1000);

  private final String text;
  private final double limit;
  private final double tradeUnit;

  QlibRegion(String text, double limit, double tradeUnit) {
    this.text = text;
    this.limit = limit;
    this.tradeUnit = tradeUnit;
  }

  /// Returns the names that configurations use.
  public static List<String> names() {
    return Arrays.stream(values()).map(QlibRegion::toString).toList();
  }

  /// @param name one of [#names]
  public static QlibRegion named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Returns when the region trades.
  public Session hours() {
    return Session.parse(text);
  }

  /// Returns the change of a price at which trading stops; infinite if it never does.
  public double limit() {
    return limit;
  }

  public double tradeUnit() {
    return tradeUnit;
  }

  /// Returns a warning if most days of `calendar` have bars outside the region's hours, else null.
  public @Nullable String warning(Calendar calendar) {
    long first = firstOutside(calendar);
    if (first < 0) {
      return null;
    }
    List<String> fitting =
        Arrays.stream(values())
            .filter(other -> other.firstOutside(calendar) < 0)
            .map(other -> "region: %s (%s)".formatted(other, other.text))
            .toList();
    return "region %s trades %s, but most days have bars outside these hours, the first at %s: %s, or"
            .formatted(
                this,
                text,
                BarTime.format(first),
                fitting.isEmpty()
                    ? "no region of Qlib fits, so use a run in our own dialect"
                    : "set " + fitting.getFirst())
        + " convert the bars with --label end if their times are ends of bars";
  }

  /// Returns the first time outside the hours, or -1 if most days have none.
  private long firstOutside(Calendar calendar) {
    if (calendar.frequency().isDay()) {
      return -1;
    }
    List<Segment> open = hours().segments();
    long first = -1;
    int days = 0;
    for (int day = 0; day < calendar.days(); day++) {
      long outside = firstOutside(calendar, day, open);
      if (outside >= 0) {
        first = first < 0 ? outside : first;
        days++;
      }
    }
    return 2 * days > calendar.days() ? first : -1;
  }

  /// Returns the first time of a day that is in none of the segments, or -1.
  private static long firstOutside(Calendar calendar, int day, List<Segment> open) {
    long close = Long.MIN_VALUE; // of the segment that the last bar was in
    for (int bar = calendar.dayStart(day); bar < calendar.dayEnd(day); bar++) {
      long time = calendar.time(bar);
      if (time < close) {
        continue;
      }
      int second = BarTime.secondOfDay(time);
      for (Segment each : open) {
        if (second >= each.open() && second < each.close()) {
          close = time - second + each.close();
        }
      }
      if (time >= close) {
        return time;
      }
    }
    return -1;
  }

  /// Returns the name that configurations use.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
