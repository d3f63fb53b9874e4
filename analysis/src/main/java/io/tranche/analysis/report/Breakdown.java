package io.tranche.analysis.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.tranche.analysis.DailyMeans;
import io.tranche.run.play.Difference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Orders in groups, each with its mean advantage and interval.
final class Breakdown {

  /// @param difference the mean advantage of its orders with the interval clustered by day
  record Group(String label, Difference difference, double fillRate) {

    static Group of(String label, List<OrderRow> rows) {
      var difference = new Difference.Builder();
      rows.forEach(row -> difference.add(row.order().date(), row.advantageBps()));
      return new Group(label, difference.build(), meanFillRate(rows));
    }
  }

  private static final int QUARTERS = 4;

  private Breakdown() {}

  static DailyMeans daily(List<OrderRow> rows) {
    return DailyMeans.of(rows.stream().map(OrderRow::result));
  }

  static double meanFillRate(List<OrderRow> rows) {
    return rows.stream().mapToDouble(OrderRow::fillRate).average().orElse(Double.NaN);
  }

  /// Groups by name, sorted by name.
  static List<Group> by(List<OrderRow> orders, Function<OrderRow, String> name) {
    return groups(rows(orders, name).entrySet());
  }

  /// Groups by name, the best mean first. Of more than `most` groups only the best and the worst
  /// are returned, half each.
  static List<Group> ranked(List<OrderRow> orders, Function<OrderRow, String> name, int most) {
    var ranked = new ArrayList<>(rows(orders, name).entrySet());
    ranked.sort(
        Comparator.comparingDouble(
            entry -> -new Distribution(advantages(entry.getValue())).mean()));
    if (ranked.size() > most) {
      ranked.subList(most / 2, ranked.size() - most / 2).clear();
    }
    return groups(ranked);
  }

  static double[] advantages(List<OrderRow> orders) {
    return orders.stream().mapToDouble(OrderRow::advantageBps).toArray();
  }

  private static SortedMap<String, List<OrderRow>> rows(
      List<OrderRow> orders, Function<OrderRow, String> name) {
    return orders.stream().collect(groupingBy(name, TreeMap::new, toList()));
  }

  /// Groups by the quarters of a number, smallest first. Orders without the number are left out,
  /// and equal numbers stay together.
  ///
  /// @param format writes a bound
  static List<Group> byQuarters(
      List<OrderRow> orders, ToDoubleFunction<OrderRow> number, Function<Double, String> format) {
    List<OrderRow> sorted =
        orders.stream()
            .filter(row -> !Double.isNaN(number.applyAsDouble(row)))
            .sorted(Comparator.comparingDouble(number))
            .toList();
    var rows = new LinkedHashMap<String, List<OrderRow>>();
    int from = 0;
    for (int quarter = 1; quarter <= QUARTERS; quarter++) {
      int to = (int) ((long) sorted.size() * quarter / QUARTERS);
      if (to <= from) {
        continue; // equal numbers of the last quarter extend to here
      }
      double last = number.applyAsDouble(sorted.get(to - 1));
      while (to < sorted.size() && number.applyAsDouble(sorted.get(to)) == last) {
        to++;
      }
      String label = range(number.applyAsDouble(sorted.get(from)), last, format);
      rows.computeIfAbsent(label, _ -> new ArrayList<>()).addAll(sorted.subList(from, to));
      from = to;
    }
    return rows.size() < 2 ? List.of() : groups(rows.entrySet());
  }

  private static String range(double first, double last, Function<Double, String> format) {
    String from = format.apply(first);
    String to = format.apply(last);
    return from.equals(to) ? from : from + " to " + to;
  }

  private static List<Group> groups(Collection<Map.Entry<String, List<OrderRow>>> rows) {
    return rows.stream().map(entry -> Group.of(entry.getKey(), entry.getValue())).toList();
  }
}
