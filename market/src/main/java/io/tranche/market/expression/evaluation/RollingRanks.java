package io.tranche.market.expression.evaluation;

import java.util.Arrays;

/// Order statistics over the last rows, in logarithmic time per row for any window.
///
/// The distinct values are numbered in order; a Fenwick tree over these numbers counts which of
/// them are in the window.
final class RollingRanks {

  private final double[] values;
  private final int window;
  private final double[] distinct;
  private final int[] tree;
  private final int highestBit;
  private int count;

  private RollingRanks(double[] values, int window) {
    this.values = values;
    this.window = window;
    // Adding zero turns the negative zero, which would sort on its own, into the positive one.
    this.distinct =
        Arrays.stream(values)
            .filter(v -> !Double.isNaN(v))
            .map(v -> v + 0.0)
            .sorted()
            .distinct()
            .toArray();
    this.tree = new int[distinct.length + 1];
    this.highestBit = Integer.highestOneBit(Math.max(distinct.length, 1));
  }

  /// @param window how many rows; 0 for all since the first
  static double[] quantile(double[] values, int window, double probability) {
    double[] finite = RollingFunctions.finite(values);
    var ranks = new RollingRanks(finite, RollingFunctions.rows(values.length, window));
    double[] result = new double[values.length];
    for (int i = 0; i < result.length; i++) {
      ranks.moveTo(i);
      result[i] = ranks.count == 0 ? Double.NaN : ranks.quantile(probability);
    }
    return result;
  }

  static double[] median(double[] values, int window) {
    var ranks = new RollingRanks(values, window);
    double[] result = new double[values.length];
    for (int i = 0; i < result.length; i++) {
      ranks.moveTo(i);
      int middle = ranks.count / 2;
      if (ranks.count == 0) {
        result[i] = Double.NaN;
      } else if (ranks.count % 2 == 1) {
        result[i] = ranks.smallest(middle);
      } else {
        result[i] = (ranks.smallest(middle) + ranks.smallest(middle - 1)) / 2;
      }
    }
    return result;
  }

  /// The mean rank of the newest value and its equals, as a share of the window.
  static double[] rank(double[] values, int window) {
    var ranks = new RollingRanks(values, window);
    double[] result = new double[values.length];
    for (int i = 0; i < result.length; i++) {
      ranks.moveTo(i);
      if (Double.isNaN(values[i])) {
        result[i] = Double.NaN;
      } else {
        int number = ranks.number(values[i]);
        double lowest = ranks.below(number) + 1;
        double highest = ranks.below(number + 1);
        result[i] = (lowest + highest) / 2 / ranks.count;
      }
    }
    return result;
  }

  private double quantile(double probability) {
    double place = probability * (count - 1);
    int below = (int) place;
    double low = smallest(below);
    if (place == below) {
      return low;
    }
    return low + (smallest(below + 1) - low) * (place - below);
  }

  private void moveTo(int row) {
    if (row >= window) {
      change(values[row - window], -1);
    }
    change(values[row], 1);
  }

  private void change(double value, int by) {
    if (Double.isNaN(value)) {
      return;
    }
    count += by;
    for (int node = number(value) + 1; node < tree.length; node += node & -node) {
      tree[node] += by;
    }
  }

  private int number(double value) {
    return Arrays.binarySearch(distinct, value + 0.0);
  }

  /// Returns how many values in the window have a number below `number`.
  private int below(int number) {
    int sum = 0;
    for (int node = number; node > 0; node -= node & -node) {
      sum += tree[node];
    }
    return sum;
  }

  /// Returns the value with `rank` smaller or equal ones before it.
  private double smallest(int rank) {
    int node = 0;
    int left = rank;
    for (int bit = highestBit; bit > 0; bit >>= 1) {
      if (node + bit < tree.length && tree[node + bit] <= left) {
        node += bit;
        left -= tree[node];
      }
    }
    return distinct[node];
  }
}
