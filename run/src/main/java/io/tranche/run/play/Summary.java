package io.tranche.run.play;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/// What a policy wins on many orders, in basis points per order.
///
/// The orders of one day share that day's market and are not independent, so the error of the mean
/// comes from how much it changes when a whole day is left out (the jackknife over days). With
/// equal numbers of orders a day this is the usual error of a mean of clusters; with unequal ones
/// that would be too small, because a day with many orders pulls the mean towards itself.
///
/// @param days the number of different days of the orders
/// @param deviation standard deviation of one order
/// @param standardError of the mean, clustered by day; NaN for fewer than two days
/// @param freedom degrees of freedom of the error: one less than the number of days that would
///   weigh as much if all had equally many orders (Kish), and at least 1
public record Summary(
    int orders, int days, double mean, double deviation, double standardError, double freedom) {

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
      int groups = days.size();
      if (groups < 2) {
        return new Summary(orders, groups, mean, Math.sqrt(variance), Double.NaN, 1);
      }
      double clusters = 0;
      double counts = 0;
      // A fixed order, so that the last bits do not depend on hashing.
      for (LocalDate date : days.keySet().stream().sorted().toList()) {
        double[] day = days.getOrDefault(date, new double[2]);
        double left = (day[1] - day[0] * mean) / (orders - day[0]); // moves the mean if left out
        clusters += left * left;
        counts += day[0] * day[0];
      }
      double error = Math.sqrt(clusters * (groups - 1) / groups);
      double freedom = Math.max(1, (double) orders * orders / counts - 1);
      return new Summary(orders, groups, mean, Math.sqrt(variance), error, freedom);
    }
  }

  /// Returns the two-sided p-value of a true mean of zero: 1 if nothing differs from it, NaN for
  /// fewer than two days.
  public double pValue() {
    return standardError == 0 && mean == 0 ? 1 : StudentT.outside(mean / standardError, freedom);
  }

  /// Whether zero lies within `width` standard errors of the mean.
  public boolean coversZero(double width) {
    return Math.abs(mean) <= width * standardError;
  }
}
