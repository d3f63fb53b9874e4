package io.tranche.serving.ledger;

import io.tranche.market.BarTime;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What time it is for the days that are open, by the bars of all instruments. Any thread may read
/// it.
public final class BarClock {

  private static final long NO_BAR = Long.MIN_VALUE;

  /// @param days how many instruments have the date open
  /// @param newest the [BarTime] of the newest bar of any instrument
  private record OpenDate(int days, long newest) {}

  private final Map<LocalDate, OpenDate> dates = new ConcurrentHashMap<>();

  void opened(LocalDate date) {
    dates.merge(
        date, new OpenDate(1, NO_BAR), (a, b) -> new OpenDate(a.days() + b.days(), a.newest()));
  }

  void ended(LocalDate date) {
    dates.computeIfPresent(
        date, (_, a) -> a.days() == 1 ? null : new OpenDate(a.days() - 1, a.newest()));
  }

  void saw(LocalDate date, long time) {
    OpenDate known = dates.get(date);
    if (known != null && known.newest() < time) {
      dates.computeIfPresent(date, (_, a) -> a.newest() < time ? new OpenDate(a.days(), time) : a);
    }
  }

  /// Returns the [BarTime] of the newest bar of a date; a very early one if there is none.
  public long newest(LocalDate date) {
    OpenDate known = dates.get(date);
    return known == null ? NO_BAR : known.newest();
  }

  /// Returns the time of the newest bar of all open days; null before the first.
  public @Nullable LocalDateTime now() {
    return dates.values().stream()
        .map(OpenDate::newest)
        .filter(newest -> newest != NO_BAR)
        .max(Comparator.naturalOrder())
        .map(BarTime::dateTime)
        .orElse(null);
  }
}
