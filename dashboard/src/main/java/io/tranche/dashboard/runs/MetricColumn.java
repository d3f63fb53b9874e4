package io.tranche.dashboard.runs;

import java.util.Arrays;

/// One metric over iterations. Of a very long run it keeps the extremes: whenever it is full, the
/// lowest and the highest of each four neighbours stay.
final class MetricColumn {

  private static final int MOST = 1 << 16;
  private static final int FIRST = 64;

  private long[] iterations = new long[FIRST];
  private double[] values = new double[FIRST];
  private int count;

  /// How many values were added.
  private long seen;

  void add(long iteration, double value) {
    if (count == MOST) {
      thin();
    }
    if (count == values.length) {
      iterations = Arrays.copyOf(iterations, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    iterations[count] = iteration;
    values[count++] = value;
    seen++;
  }

  private void thin() {
    int kept = 0;
    for (int from = 0; from < count; from += 4) {
      int to = Math.min(count, from + 4);
      int low = extreme(values, from, to, false);
      int high = extreme(values, from, to, true);
      kept = keep(Math.min(low, high), kept);
      if (low != high) {
        kept = keep(Math.max(low, high), kept);
      }
    }
    count = kept;
  }

  private int keep(int at, int to) {
    iterations[to] = iterations[at];
    values[to] = values[at];
    return to + 1;
  }

  /// Returns the place of the lowest or highest value; `from` if none is a number.
  static int extreme(double[] values, int from, int to, boolean isHigh) {
    int found = from;
    for (int i = from; i < to; i++) {
      double value = values[i];
      boolean isBetter = isHigh ? value > values[found] : value < values[found];
      if (isBetter || (Double.isNaN(values[found]) && !Double.isNaN(value))) {
        found = i;
      }
    }
    return found;
  }

  int count() {
    return count;
  }

  long seen() {
    return seen;
  }

  double last() {
    return count == 0 ? Double.NaN : values[count - 1];
  }

  long[] iterations() {
    return Arrays.copyOf(iterations, count);
  }

  double[] values() {
    return Arrays.copyOf(values, count);
  }
}
