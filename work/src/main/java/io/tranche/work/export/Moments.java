package io.tranche.work.export;

import io.tranche.market.feature.DayFeatures;

/// Mean and standard deviation of every feature over some days, by Welford's recurrence, which
/// stays exact with large means. Non-finite numbers are ignored.
final class Moments {

  private final double[] means;
  private final double[] squares;
  private final long[] counts;

  Moments(int width) {
    means = new double[width];
    squares = new double[width];
    counts = new long[width];
  }

  void add(DayFeatures day) {
    for (int tick = 0; tick < day.ticks(); tick++) {
      for (int i = 0; i < means.length; i++) {
        double value = day.today(tick, i);
        if (Double.isFinite(value)) {
          double distance = value - means[i];
          means[i] += distance / ++counts[i];
          squares[i] += distance * (value - means[i]);
        }
      }
    }
  }

  double mean(int feature) {
    return means[feature];
  }

  double deviation(int feature) {
    return counts[feature] == 0 ? 0 : Math.sqrt(squares[feature] / counts[feature]);
  }
}
