package io.tranche.analysis;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/// What a policy wins on many orders, in basis points per order.
///
/// @param days the number of different days of the orders
/// @param deviation standard deviation of one order
/// @param standardError of the mean, clustered by day: the orders of one day are not independent.
///   NaN for fewer than two days
public record Summary(int orders, int days, double mean, double deviation, double standardError) {

  /// Collects orders one by one. Not thread-safe.
  public static final class Builder {

    private final Map<LocalDate, double[]> days = new HashMap<>(); // count and sum of each day
    private int orders;
    private double sum;
    private double squares;

    public void add(LocalDate date, double bps) {
      orders++;
      sum += bps;
      squares += bps * bps;
      double[] day = days.computeIfAbsent(date, _ -> new double[2]);
      day[0]++;
      day[1] += bps;
    }

    /// Returns the summary so far; NaN where there are too few orders.
    public Summary build() {
      double mean = sum / orders;
      double variance = Math.max(0, squares - orders * mean * mean) / (orders - 1);
      // A fixed order, so that the last bits do not depend on hashing.
      double clusters =
          days.keySet().stream()
              .sorted()
              .mapToDouble(date -> residual(date, mean))
              .map(residual -> residual * residual)
              .reduce(0, Double::sum);
      int groups = days.size();
      double error = groups < 2 ? Double.NaN : Math.sqrt(clusters * groups / (groups - 1)) / orders;
      return new Summary(orders, groups, mean, Math.sqrt(variance), error);
    }

    private double residual(LocalDate date, double mean) {
      double[] day = days.getOrDefault(date, new double[2]);
      return day[1] - day[0] * mean;
    }
  }

  /// Whether zero lies within `width` standard errors of the mean.
  public boolean coversZero(double width) {
    return Math.abs(mean) <= width * standardError;
  }
}
