package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Comparison;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ExampleOrder;
import io.tranche.analysis.report.OrderRow;
import io.tranche.run.play.OrderPlayer.PutAside;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The judgement of an agent on the test orders.
///
/// @param constants results of the constant actions that were best in validation; null if the
///   actions are not discrete
/// @param arrival results at the price when each order arrived
/// @param orders one row per order
/// @param examples a few orders to be drawn
/// @param putAside orders that no policy could execute
public record Judgement(
    Assessment assessment,
    Yardsticks yardsticks,
    @Nullable PolicyResults constants,
    PolicyResults arrival,
    List<OrderRow> orders,
    List<ExampleOrder> examples,
    List<PutAside> putAside) {

  public Judgement {
    orders = List.copyOf(orders);
    examples = List.copyOf(examples);
    putAside = List.copyOf(putAside);
  }

  /// @param comparison with TWAP at prices without the market's moves
  public Judgement withNeutral(Comparison comparison) {
    return new Judgement(
        assessment.withNeutral(comparison),
        yardsticks,
        constants,
        arrival,
        orders,
        examples,
        putAside);
  }

  /// Returns the results of all policies except TWAP, the agent first.
  public List<PolicyResults> policies() {
    var all = new ArrayList<PolicyResults>();
    all.add(assessment.agent());
    add(all, yardsticks.vwap());
    add(all, yardsticks.learnedVwap());
    add(all, yardsticks.linear());
    add(all, constants);
    if (constants != null) {
      PolicyResults hindsight = yardsticks.constantsChosenOn(yardsticks);
      add(all, hindsight.policy().equals(constants.policy()) ? null : hindsight);
    }
    all.add(arrival);
    add(all, yardsticks.optimum());
    all.add(yardsticks.oracle());
    return all;
  }

  private static void add(List<PolicyResults> all, @Nullable PolicyResults results) {
    if (results != null) {
      all.add(results);
    }
  }

  /// Returns how the agent compares with TWAP, then with each of the others.
  public List<Comparison> comparisons() {
    var comparisons = new ArrayList<Comparison>();
    comparisons.add(assessment.overTwap());
    List<PolicyResults> all = policies();
    for (PolicyResults other : all.subList(1, all.size())) {
      comparisons.add(Comparison.of(assessment.agent(), other));
    }
    return comparisons;
  }
}
