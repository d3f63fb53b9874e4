package io.tranche.run.play;

import java.time.LocalDate;
import java.util.List;

/// A mean difference of paired orders, with its 95 % interval.
///
/// The interval comes from how much whole days differ ([Summary]), with Student's quantile. It
/// covers the truth in 95 % of samples, also where days have unequal numbers of orders (`tranche
/// bench judge` measures it). A bootstrap over days needs random draws, and with few days its
/// percentiles are too narrow.
///
/// @param days how many different days the orders are of
/// @param low lower end of the interval; NaN for fewer than two days
/// @param high upper end
/// @param freedom degrees of freedom of the interval: one less than the number of days where all
///   have equally many orders ([Summary])
public record Difference(
    int orders, int days, double meanBps, double low, double high, double freedom) {

  /// An interval that is printed as `0.0 to 0.0`.
  private static final double NARROW = 0.05;

  /// Returns the mean of a summary with its interval.
  public static Difference of(Summary summary) {
    int days = summary.days();
    double margin =
        days < 2 ? Double.NaN : StudentT.within95(summary.freedom()) * summary.standardError();
    double mean = summary.mean();
    return new Difference(
        summary.orders(), days, mean, mean - margin, mean + margin, summary.freedom());
  }

  /// Returns the mean of independent repetitions, such as the same run with other seeds, with the
  /// interval of that mean. Each repetition counts as one order and one day.
  ///
  /// @param means at least one
  public static Difference ofRepetitions(List<Double> means) {
    int count = means.size();
    double mean = means.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares =
        means.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum() / (count - 1);
    double margin =
        count < 2 ? Double.NaN : StudentT.within95(count - 1) * Math.sqrt(squares / count);
    return new Difference(count, count, mean, mean - margin, mean + margin, count - 1);
  }

  /// Returns half the width of the interval; NaN for fewer than two days.
  public double margin() {
    return (high - low) / 2;
  }

  /// Returns what the truth exceeds with this confidence: the end of a one-sided interval, so the
  /// lower end of the 95 % interval has a confidence of 0.975.
  ///
  /// @param confidence above 0.5
  /// @return NaN for fewer than two days
  public double exceeds(double confidence) {
    return days < 2
        ? Double.NaN
        : meanBps
            - margin() * StudentT.within(2 * confidence - 1, freedom) / StudentT.within95(freedom);
  }

  public boolean isAboveZero() {
    return low > 0;
  }

  public boolean isBelowZero() {
    return high < 0;
  }

  /// Whether the interval has no width although single orders differ: what is won on one order of a
  /// pair is lost on the other, so the zero is no measurement.
  ///
  /// @param scatterBps the standard deviation of the orders
  public boolean cancels(double scatterBps) {
    return margin() < NARROW && scatterBps > NARROW;
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
