package io.tranche.work.tuning;

import io.tranche.config.ConfigNode;
import java.util.Collection;
import java.util.List;

/// Stops a trial whose best value so far is worse than the median of the other trials' averages up
/// to the same iteration (Golovin et al. 2017, "Google Vizier", section 3.2.2).
///
/// @param after the iteration of the first check
/// @param every how many iterations lie between two checks
/// @param trials the minimum number of other trials to compare with
record MedianRule(int after, int every, int trials) {

  private static final int TRIALS = 3;

  /// @param cadence the number of iterations between two values of the metric
  static MedianRule from(ConfigNode node, int cadence) {
    node.rejectUnknown(List.of("after", "every", "trials"));
    return new MedianRule(
        multiple(node, "after", cadence),
        multiple(node, "every", cadence),
        node.countOr("trials", TRIALS));
  }

  private static int multiple(ConfigNode node, String key, int cadence) {
    int value = node.countOr(key, cadence);
    if (value % cadence != 0) {
      throw node.required(key)
          .wrong("a multiple of %d, the iterations between two validations".formatted(cadence));
    }
    return value;
  }

  /// Whether a trial is checked after `iteration` iterations.
  boolean looksAt(int iteration) {
    return iteration >= after && (iteration - after) % every == 0;
  }

  /// @param own the values of the trial up to `iteration`
  /// @param others the values of each of the others, as far as they are known
  /// @param sign 1 if higher is better, -1 if lower is
  boolean stops(int iteration, List<Point> own, Collection<List<Point>> others, int sign) {
    double[] averages =
        others.stream()
            .filter(points -> !points.isEmpty() && points.getLast().iteration() >= iteration)
            .mapToDouble(points -> average(points, iteration))
            .map(average -> sign * average)
            .sorted()
            .toArray();
    if (averages.length < trials) {
      return false;
    }
    double best = own.stream().mapToDouble(point -> sign * point.value()).max().orElse(Double.NaN);
    return best < median(averages);
  }

  private static double average(List<Point> points, int iteration) {
    return points.stream()
        .filter(point -> point.iteration() <= iteration)
        .mapToDouble(Point::value)
        .average()
        .orElse(Double.NaN);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
