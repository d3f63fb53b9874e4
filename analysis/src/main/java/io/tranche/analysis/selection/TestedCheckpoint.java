package io.tranche.analysis.selection;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.DailyMeans;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.Distribution;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.Collection;
import java.util.List;

/// How a checkpoint did on orders, compared with TWAP on the same orders.
///
/// @param pValue of Wilcoxon's signed-rank test over days
/// @param adjustedPValue the same, corrected by Holm for the number of checkpoints
/// @param positiveDays share of the days on which it beats TWAP
/// @param positiveInstruments share of the instruments on which it beats TWAP
public record TestedCheckpoint(
    PolicyResults results,
    Comparison overTwap,
    double pValue,
    double adjustedPValue,
    double positiveDays,
    double positiveInstruments) {

  /// Differences with a smaller p-value are not taken for chance.
  static final double LEVEL = 0.05;

  static TestedCheckpoint of(PolicyResults results, PolicyResults twap, double adjustedPValue) {
    List<OrderResult> differences = results.minus(twap);
    Collection<Double> instruments =
        differences.stream()
            .collect(
                groupingBy(
                    result -> result.order().instrument(),
                    averagingDouble(OrderResult::netAdvantageBps)))
            .values();
    return new TestedCheckpoint(
        results,
        Comparison.of(results, twap),
        pValue(results, twap),
        adjustedPValue,
        positiveShare(DailyMeans.of(differences.stream()).bps().values()),
        positiveShare(instruments));
  }

  private static double positiveShare(Collection<Double> means) {
    return (double) means.stream().filter(mean -> mean > 0).count() / means.size();
  }

  static double pValue(PolicyResults results, PolicyResults reference) {
    DailyMeans days = DailyMeans.of(results.minus(reference).stream());
    return SignedRanks.pValue(
        days.bps().values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /// Returns the mean net advantage of an order over its standard deviation; NaN for fewer than two
  /// orders.
  public double informationRatio() {
    var advantages =
        new Distribution(
            results.orders().stream().mapToDouble(OrderResult::netAdvantageBps).toArray());
    return advantages.mean() / advantages.deviation();
  }

  public String name() {
    return results.policy();
  }

  /// Whether it is shown to be better than TWAP: beyond chance although several were tried, on each
  /// side, and filling its orders. A policy that trades late wins on one side wherever the market
  /// drifts.
  public boolean isBetter() {
    return adjustedPValue < LEVEL
        && overTwap.completion() >= Verdict.LEAST_COMPLETION
        && overTwap.together().isAboveZero()
        && overTwap.sides().values().stream().allMatch(side -> side.meanBps() > 0);
  }
}
