package io.tranche.analysis.report;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The mean advantage of each day's orders, added up: what a desk that spreads the same amount over
/// the orders of every day would have gained.
final class DailyAdvantage {

  private static final class Mean {
    private double sum;
    private int orders;

    private double value() {
      return sum / orders;
    }
  }

  private final SortedMap<LocalDate, Mean> days = new TreeMap<>();

  static DailyAdvantage of(List<OrderRow> orders, Predicate<OrderRow> which) {
    var daily = new DailyAdvantage();
    for (OrderRow row : orders) {
      if (which.test(row)) {
        Mean mean = daily.days.computeIfAbsent(row.order().date(), _ -> new Mean());
        mean.sum += row.advantageBps();
        mean.orders++;
      }
    }
    return daily;
  }

  List<LocalDate> dates() {
    return List.copyOf(days.keySet());
  }

  /// Returns the sum of all days up to each of `dates`.
  List<Double> cumulative(List<LocalDate> dates) {
    var sums = new ArrayList<Double>();
    double sum = 0;
    for (LocalDate date : dates) {
      Mean mean = days.get(date);
      sum += mean == null ? 0 : mean.value();
      sums.add(sum);
    }
    return sums;
  }

  /// The days of a month.
  record Month(YearMonth month, int days, int winningDays, double sumBps) {

    private Month with(double bps) {
      return new Month(month, days + 1, winningDays + (bps > 0 ? 1 : 0), sumBps + bps);
    }
  }

  List<Month> months() {
    var months = new TreeMap<YearMonth, Month>();
    days.forEach(
        (date, mean) -> {
          YearMonth month = YearMonth.from(date);
          Month before = months.getOrDefault(month, new Month(month, 0, 0, 0));
          months.put(month, before.with(mean.value()));
        });
    return List.copyOf(months.values());
  }
}
