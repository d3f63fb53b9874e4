package io.tranche.dashboard.runs;

import java.util.Arrays;

/// Values over iterations. Its arrays belong to whoever made it.
///
/// NaN where a value is not known or not finite.
public final class Curve {

  private final long[] iterations;
  private final double[] values;

  Curve(long[] iterations, double[] values) {
    this.iterations = iterations;
    this.values = values;
  }

  public int size() {
    return values.length;
  }

  public long[] iterations() {
    return iterations.clone();
  }

  public double[] values() {
    return values.clone();
  }

  /// Returns the part in which iterations are in `[from, to]`.
  Curve within(long from, long to) {
    int first = place(from);
    int end = to == Long.MAX_VALUE ? values.length : place(to + 1);
    return new Curve(
        Arrays.copyOfRange(iterations, first, Math.max(first, end)),
        Arrays.copyOfRange(values, first, Math.max(first, end)));
  }

  private int place(long iteration) {
    int found = Arrays.binarySearch(iterations, iteration);
    return found < 0 ? -found - 1 : found;
  }

  /// Returns exponentially weighted means.
  ///
  /// @param weight of what came before, in [0, 1); 0 leaves everything as it is
  Curve smoothed(double weight) {
    if (weight <= 0) {
      return this;
    }
    double[] smooth = new double[values.length];
    double sum = 0;
    double total = 0;
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i])) {
        smooth[i] = Double.NaN;
        continue;
      }
      // Divided by the weights so far, so that the beginning is not pulled towards zero.
      sum = weight * sum + (1 - weight) * values[i];
      total = weight * total + (1 - weight);
      smooth[i] = sum / total;
    }
    return new Curve(iterations, smooth);
  }

  /// Returns at most `points` of the points, the lowest and highest of each stretch among them.
  Curve thinned(int points) {
    if (values.length <= points) {
      return this;
    }
    int stretches = Math.max(1, points / 2 - 1);
    long[] places = new long[points];
    double[] kept = new double[points];
    int count = 0;
    int last = values.length - 1;
    for (int i = 0; i <= stretches; i++) {
      // The ends are stretches of their own, so that a curve begins and ends where it does.
      int from = i == 0 ? 0 : 1 + (int) ((long) (i - 1) * (last - 1) / stretches);
      int to = i == 0 ? 1 : 1 + (int) ((long) i * (last - 1) / stretches);
      int low = MetricColumn.extreme(values, from, to, false);
      int high = MetricColumn.extreme(values, from, to, true);
      for (int at : new int[] {Math.min(low, high), Math.max(low, high)}) {
        if (count == 0 || places[count - 1] != iterations[at]) {
          places[count] = iterations[at];
          kept[count++] = values[at];
        }
      }
    }
    places[count] = iterations[last];
    kept[count++] = values[last];
    return new Curve(Arrays.copyOf(places, count), Arrays.copyOf(kept, count));
  }
}
