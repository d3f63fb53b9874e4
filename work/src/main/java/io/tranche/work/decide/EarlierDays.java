package io.tranche.work.decide;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.feature.provider.ComputedFeatures;
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
      trim(days);
    }
  }

  /// Returns the last days before `date`, oldest first: as many with bars as are wanted, fewer
  /// where the data begin, and those without between them.
  List<DayFrame> before(String instrument, LocalDate date) {
    List<DayFrame> after = worked.getOrDefault(instrument, List.of());
    LocalDate end = after.isEmpty() ? date : after.getFirst().date();
    var days = new ArrayList<DayFrame>();
    if (source != null && wanted > 0 && known.contains(instrument)) {
      BarSeries series = source.series(instrument);
      int day = series.endDay();
      while (day > series.firstDay() && !series.calendar().date(day - 1).isBefore(end)) {
        day--;
      }
      days.addAll(ComputedFeatures.earlier(series, day, wanted));
    }
    days.addAll(after);
    trim(days);
    return days;
  }

  private void trim(List<DayFrame> days) {
    long traded = days.stream().filter(DayFrame::hasBars).count();
    while (traded > wanted || (traded == wanted && !days.isEmpty() && !days.getFirst().hasBars())) {
      traded -= days.removeFirst().hasBars() ? 1 : 0;
    }
  }
}
