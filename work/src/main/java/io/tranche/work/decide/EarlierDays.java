package io.tranche.work.decide;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The days before the orders' days, on which features look back.
final class EarlierDays {

  private final @Nullable BarSource source;
  private final Set<String> known;
  private final int wanted;

  /// Days that were played, for bars that do not come from `source`.
  private final Map<String, List<DayFrame>> worked = new HashMap<>();

  /// @param wanted how many days features look back
  EarlierDays(@Nullable BarSource source, int wanted) {
    this.source = source;
    this.known = source == null ? Set.of() : new HashSet<>(source.instruments());
    this.wanted = wanted;
  }

  /// Adds a day that is over.
  void add(DayFrame day) {
    if (wanted > 0) {
      List<DayFrame> days = worked.computeIfAbsent(day.instrument(), _ -> new ArrayList<>());
      days.add(day);
      if (days.size() > wanted) {
        days.removeFirst();
      }
    }
  }

  /// Returns the last days before `date`, oldest first; fewer where the data begin.
  List<DayFrame> before(String instrument, LocalDate date) {
    List<DayFrame> after = worked.getOrDefault(instrument, List.of());
    LocalDate end = after.isEmpty() ? date : after.getFirst().date();
    var days = new ArrayList<DayFrame>();
    if (source != null && wanted > 0 && known.contains(instrument)) {
      BarSeries series = source.series(instrument);
      for (int day = series.endDay() - 1; day >= series.firstDay() && days.size() < wanted; day--) {
        DayFrame frame = series.day(day);
        if (frame != null && frame.date().isBefore(end)) {
          days.addFirst(frame);
        }
      }
    }
    days.addAll(after);
    return days.subList(Math.max(0, days.size() - wanted), days.size());
  }
}
