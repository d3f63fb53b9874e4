package io.tranche.analysis.selection;

import io.tranche.analysis.PolicyResults;
import io.tranche.market.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/// How a checkpoint did on the test orders, beside TWAP on the same ones.
///
/// @param meanBps its advantage, the mean of all orders
/// @param fillRate the mean of all orders
/// @param differenceBps by how much it beats TWAP, the mean of the days
/// @param low where the 95 % interval of that begins, bootstrapped over days
/// @param high where it ends
/// @param pValue Wilcoxon's signed-rank test over days
/// @param adjustedPValue the same, corrected by Holm for the number of checkpoints
/// @param positiveDays on what share of the days it beats TWAP
/// @param positiveInstruments on what share of the instruments
/// @param sides by how much it beats TWAP on each side that there is
public record CheckpointStanding(
    String checkpoint,
    double meanBps,
    double fillRate,
    double differenceBps,
    double low,
    double high,
    double pValue,
    double adjustedPValue,
    double positiveDays,
    double positiveInstruments,
    Map<Side, Double> sides) {

  /// What is taken for chance.
  static final double LEVEL = 0.05;

  public CheckpointStanding {
    sides = Map.copyOf(sides);
  }

  static CheckpointStanding of(PolicyResults results, PolicyResults twap, double adjustedPValue) {
    DailyDifferences days = DailyDifferences.of(results, twap);
    DailyDifferences.Interval interval = days.bootstrap();
    var sides = new EnumMap<Side, Double>(Side.class);
    for (Side side : Side.values()) {
      double difference = results.meanBps(side) - twap.meanBps(side);
      if (!Double.isNaN(difference)) {
        sides.put(side, difference);
      }
    }
    return new CheckpointStanding(
        results.policy(),
        results.meanBps(null),
        results.fillRate(null),
        days.mean(),
        interval.low(),
        interval.high(),
        days.pValue(),
        adjustedPValue,
        days.positiveShare(),
        positiveInstruments(results, twap),
        sides);
  }

  private static double positiveInstruments(PolicyResults results, PolicyResults twap) {
    var sums = new TreeMap<String, Double>();
    for (int i = 0; i < results.orders().size(); i++) {
      var one = results.orders().get(i);
      sums.merge(
          one.order().instrument(),
          one.advantageBps() - twap.orders().get(i).advantageBps(),
          Double::sum);
    }
    return (double) sums.values().stream().filter(sum -> sum > 0).count() / sums.size();
  }

  /// Whether it is shown to be better than TWAP: beyond chance although several were tried, and on
  /// each side, for one that trades late wins on one side wherever the market drifts.
  public boolean isBetter() {
    return adjustedPValue < LEVEL
        && low > 0
        && sides.values().stream().allMatch(difference -> difference > 0);
  }
}
