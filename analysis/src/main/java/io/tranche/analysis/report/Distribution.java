package io.tranche.analysis.report;

import java.util.ArrayList;
import java.util.Arrays;

/// Mean, deviation, quantiles and histogram of some numbers.
public final class Distribution {

  private static final int BINS = 40;

  private final double[] sorted;
  private final double mean;

  /// @param values at least one
  public Distribution(double[] values) {
    this.sorted = values.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (double value : sorted) {
      sum += value;
    }
    this.mean = sum / sorted.length;
  }

  public double mean() {
    return mean;
  }

  /// Returns the quantile by linear interpolation between the two nearest values, as numpy does.
  double quantile(double part) {
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    double share = place - below;
    return (1 - share) * sorted[below] + share * sorted[above]; // a difference could overflow
  }

  /// Returns the standard deviation; NaN for fewer than two numbers.
  public double deviation() {
    double squares = 0;
    for (double value : sorted) {
      squares += (value - mean) * (value - mean);
    }
    return sorted.length < 2 ? Double.NaN : Math.sqrt(squares / (sorted.length - 1));
  }

  /// Returns the share of the values that are above zero.
  double positiveRate() {
    return (double) Arrays.stream(sorted).filter(value -> value > 0).count() / sorted.length;
  }

  /// Returns a histogram of equal bins with an edge at zero. The first and the last bin include the
  /// outermost 0.5 % at either end, so that a few wild days do not flatten the rest.
  Chart.Histogram histogram() {
    double low = Math.min(0, quantile(0.005));
    double high = Math.max(0, quantile(0.995));
    double width = high > low ? high / BINS - low / BINS : 1;
    int first = (int) Math.floor(low / width);
    int last = Math.max(first + 1, (int) Math.ceil(high / width));
    var edges = new ArrayList<Double>();
    for (int edge = first; edge <= last; edge++) {
      edges.add(edge * width);
    }
    int[] counts = new int[last - first];
    for (double value : sorted) {
      int bin = (int) Math.floor(Math.clamp(value, low, high) / width) - first;
      counts[Math.clamp(bin, 0, counts.length - 1)]++;
    }
    return new Chart.Histogram(edges, Arrays.stream(counts).boxed().toList(), mean);
  }
}
