package io.tranche.analysis.selection;

import io.tranche.analysis.OrderResult;
import io.tranche.analysis.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// By how much one policy beats another on each day, in basis points: the mean of that day's
/// orders, paired. Orders of one day share its market, so days are what is counted.
///
/// @param bps one number a day, by date
record DailyDifferences(List<Double> bps) {

  private static final int RESAMPLES = 2_000;

  DailyDifferences {
    bps = List.copyOf(bps);
  }

  /// An interval that holds 95 % of resampled means.
  record Interval(double low, double high) {}

  /// @throws IllegalArgumentException if the two are not of the same orders
  static DailyDifferences of(PolicyResults results, PolicyResults reference) {
    if (results.orders().size() != reference.orders().size()) {
      throw new IllegalArgumentException(
          "orders must be the same, was %d and %d"
              .formatted(results.orders().size(), reference.orders().size()));
    }
    SortedMap<LocalDate, List<Double>> days = new TreeMap<>();
    for (int i = 0; i < results.orders().size(); i++) {
      OrderResult one = results.orders().get(i);
      double bps = one.advantageBps() - reference.orders().get(i).advantageBps();
      days.computeIfAbsent(one.order().date(), _ -> new ArrayList<>()).add(bps);
    }
    return new DailyDifferences(days.values().stream().map(DailyDifferences::mean).toList());
  }

  private static double mean(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  double mean() {
    return mean(bps);
  }

  /// Returns on how many days of all the one is better.
  double positiveShare() {
    return (double) bps.stream().filter(each -> each > 0).count() / bps.size();
  }

  double pValue() {
    return SignedRanks.pValue(bps.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /// Draws days with replacement, always the same ones for the same number of days.
  Interval bootstrap() {
    var random = new SplittableRandom(bps.size());
    double[] means = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      double sum = 0;
      for (int day = 0; day < bps.size(); day++) {
        sum += bps.get(random.nextInt(bps.size()));
      }
      means[i] = sum / bps.size();
    }
    Arrays.sort(means);
    return new Interval(means[RESAMPLES / 40], means[RESAMPLES - 1 - RESAMPLES / 40]);
  }
}
