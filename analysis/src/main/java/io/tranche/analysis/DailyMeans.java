package io.tranche.analysis;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.tranche.run.play.OrderResult;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The mean advantage after costs of each day's orders. Orders of one day share that day's market,
/// so each day counts once. The sum over days is what a desk gains that trades the same amount
/// every day.
///
/// @param bps by date
public record DailyMeans(SortedMap<LocalDate, Double> bps) {

  public DailyMeans {
    bps = Collections.unmodifiableSortedMap(new TreeMap<>(bps));
  }

  public static DailyMeans of(Stream<OrderResult> orders) {
    return new DailyMeans(
        orders.collect(
            groupingBy(
                result -> result.order().date(),
                TreeMap::new,
                averagingDouble(OrderResult::netAdvantageBps))));
  }

  /// Returns the sum of all days up to each of `dates`.
  public List<Double> cumulative(Collection<LocalDate> dates) {
    var sums = new ArrayList<Double>();
    double sum = 0;
    for (LocalDate date : dates) {
      sum += bps.getOrDefault(date, 0.0);
      sums.add(sum);
    }
    return sums;
  }

  /// Returns the days of each month.
  public SortedMap<YearMonth, List<Double>> byMonth() {
    return bps.entrySet().stream()
        .collect(
            groupingBy(
                day -> YearMonth.from(day.getKey()),
                TreeMap::new,
                mapping(Map.Entry::getValue, toList())));
  }
}
