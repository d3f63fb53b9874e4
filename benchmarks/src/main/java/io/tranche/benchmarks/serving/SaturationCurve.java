package io.tranche.benchmarks.serving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Latency at rising rates, up to the one that a server could not sustain.
///
/// @param points by offered rate, those that failed included
/// @param saturation the highest rate that it could sustain
record SaturationCurve(List<LoadResult> points, LoadResult saturation) {

  /// A 99th percentile above this counts as a failure.
  private static final double MOST_MILLIS = 100;

  /// The share of answers that may be wrong, TWAP's, or missing.
  private static final double MOST_FAILED = 0.001;

  /// The share of the offered rate that must be achieved.
  private static final double LEAST_ACHIEVED = 0.97;

  /// The largest number of steps down.
  private static final int MOST_DOWN = 5;

  /// A rate that failed is tried once more, because other processes use the machine too.
  private static final int TRIES = 2;

  SaturationCurve {
    points = List.copyOf(points);
  }

  /// A server under load for some seconds.
  @FunctionalInterface
  interface Window {
    LoadResult at(double rate) throws IOException;
  }

  /// Raises the rate by `factor` until it is too high, then halves the last step a number of times.
  /// If the first rate is already too high, it goes down until one is not.
  static SaturationCurve find(Window window, double from, double factor, int halvings)
      throws IOException {
    var points = new ArrayList<LoadResult>();
    LoadResult best = attempt(window, from, points);
    for (int i = 0; i < MOST_DOWN && !isFollowed(best); i++) {
      best = attempt(window, best.offered() / factor, points);
    }
    double step = factor;
    int left = isFollowed(best) ? halvings : -1;
    while (left >= 0) {
      LoadResult next = attempt(window, best.offered() * step, points);
      if (isFollowed(next)) {
        best = next;
      }
      if (!isFollowed(next) || step < factor) {
        step = Math.sqrt(step);
        left--;
      }
    }
    points.sort(Comparator.comparingDouble(LoadResult::offered));
    return new SaturationCurve(points, best);
  }

  private static LoadResult attempt(Window window, double rate, List<LoadResult> points)
      throws IOException {
    LoadResult result = window.at(rate);
    for (int i = 1; i < TRIES && !isFollowed(result); i++) {
      result = window.at(rate);
    }
    points.add(result);
    return result;
  }

  /// Whether a server could sustain the rate.
  static boolean isFollowed(LoadResult result) {
    return result.achieved() >= LEAST_ACHIEVED * result.offered()
        && result.millis(99) <= MOST_MILLIS
        && result.failedShare() <= MOST_FAILED;
  }
}
