package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Comparison;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ExampleOrder;
import io.tranche.analysis.report.OrderRow;
import io.tranche.run.OrderPlayer.PutAside;
import io.tranche.run.PolicyResults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an agent turned out to be worth on the test orders.
///
/// @param constants what the constant actions that validation would have chosen make of them; null
///   if actions are not choices
/// @param arrival what they would have come to at the price they arrived at
/// @param orders a row an order
/// @param examples a few of them, to be drawn
/// @param putAside orders that nobody could work
public record Judgement(
    Assessment standing,
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

  /// Returns everyone that was measured besides TWAP, the agent first.
  public List<PolicyResults> policies() {
    var all = new ArrayList<PolicyResults>();
    all.add(standing.agent());
    add(all, yardsticks.vwap());
    add(all, constants);
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
    comparisons.add(standing.overTwap());
    List<PolicyResults> all = policies();
    for (PolicyResults other : all.subList(1, all.size())) {
      comparisons.add(Comparison.of(standing.agent(), other));
    }
    return comparisons;
  }
}
