package io.tranche.analysis;

import java.time.LocalDate;

/// A mean difference of paired orders, with its 95 % interval.
///
/// The orders of one day share that day's market and are not independent. The interval therefore
/// comes from how much whole days differ: the standard error is that of a mean of clusters, in
/// which the sum of each day's residuals counts once, and the quantile is Student's with one degree
/// of freedom less than there are days. A bootstrap over days needs random draws, and with few days
/// its percentiles are too narrow.
///
/// @param days how many different days the orders are of
/// @param low lower end of the interval; NaN for fewer than two days
/// @param high upper end
public record Difference(int orders, int days, double meanBps, double low, double high) {

  /// Returns the mean of a summary with its interval.
  public static Difference of(Summary summary) {
    int days = summary.days();
    double margin = days < 2 ? Double.NaN : StudentT.within95(days - 1) * summary.standardError();
    double mean = summary.mean();
    return new Difference(summary.orders(), days, mean, mean - margin, mean + margin);
  }

  /// Returns half the width of the interval; NaN for fewer than two days.
  public double margin() {
    return (high - low) / 2;
  }

  public boolean isAboveZero() {
    return low > 0;
  }

  public boolean isBelowZero() {
    return high < 0;
  }

  /// Collects orders one by one.
  public static final class Builder {

    private final Summary.Builder orders = new Summary.Builder();

    public void add(LocalDate date, double bps) {
      orders.add(date, bps);
    }

    /// @throws IllegalStateException if nothing was added
    public Difference build() {
      Summary summary = orders.build();
      if (summary.orders() == 0) {
        throw new IllegalStateException("orders must be at least one, was none");
      }
      return of(summary);
    }
  }
}
