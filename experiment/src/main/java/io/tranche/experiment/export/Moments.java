package io.tranche.experiment.export;

import io.tranche.market.feature.DayFeatures;

/// Mean and standard deviation of every feature over some days, by Welford's recurrence, which
/// loses no digits to large means.
final class Moments {

  private final double[] means;
  private final double[] squares;
  private long count;

  Moments(int width) {
    means = new double[width];
    squares = new double[width];
  }

  void add(DayFeatures day) {
    for (int tick = 0; tick < day.ticks(); tick++) {
      count++;
      for (int i = 0; i < means.length; i++) {
        double distance = day.today(tick, i) - means[i];
        means[i] += distance / count;
        squares[i] += distance * (day.today(tick, i) - means[i]);
      }
    }
  }

  double mean(int feature) {
    return means[feature];
  }

  double deviation(int feature) {
    return count == 0 ? 0 : Math.sqrt(Math.max(0, squares[feature]) / count);
  }
}
