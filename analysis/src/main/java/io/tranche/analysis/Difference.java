package io.tranche.analysis;

import java.time.LocalDate;
import java.util.SortedMap;
import java.util.TreeMap;

/// A mean difference of paired orders, with its 95 % interval.
///
/// The orders of one day share that day's market and are not independent, so the interval comes
/// from how much whole days differ: the standard error is that of a mean of clusters (the sum of
/// each day's residuals counts once), and the quantile is Student's with one degree of freedom less
/// than there are days. A bootstrap over days needs draws, and with few days its percentiles are
/// too narrow; this needs none and widens as it must.
///
/// @param days how many different days the orders are of
/// @param low where the interval begins; NaN for fewer than two days
/// @param high where it ends
public record Difference(int orders, int days, double meanBps, double low, double high) {

  public boolean isAboveZero() {
    return low > 0;
  }

  public boolean isBelowZero() {
    return high < 0;
  }

  /// Gathers orders one by one.
  public static final class Builder {

    private static final class Day {
      private int orders;
      private double sum;
    }

    private final SortedMap<LocalDate, Day> days = new TreeMap<>();
    private int orders;
    private double sum;

    public void add(LocalDate date, double bps) {
      Day day = days.computeIfAbsent(date, _ -> new Day());
      day.orders++;
      day.sum += bps;
      orders++;
      sum += bps;
    }

    /// @throws IllegalStateException if nothing was added
    public Difference build() {
      if (orders == 0) {
        throw new IllegalStateException("orders must be at least one, was none");
      }
      double mean = sum / orders;
      int count = days.size();
      if (count < 2) {
        return new Difference(orders, count, mean, Double.NaN, Double.NaN);
      }
      double squares = 0;
      for (Day day : days.values()) {
        double residual = day.sum - day.orders * mean;
        squares += residual * residual;
      }
      double error = Math.sqrt(squares * count / (count - 1)) / orders;
      double margin = StudentT.within95(count - 1) * error;
      return new Difference(orders, count, mean, mean - margin, mean + margin);
    }
  }
}
