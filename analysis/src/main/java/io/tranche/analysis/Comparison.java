package io.tranche.analysis;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.EnumMap;
import java.util.Map;

/// How much better one policy is than another on the same orders, pair by pair, in basis points.
///
/// @param together all orders
/// @param sides the orders of each side that occurs
public record Comparison(
    String policy, String reference, Difference together, Map<Side, Difference> sides) {

  public Comparison {
    sides = Map.copyOf(sides);
  }

  /// Returns by how much `results` are better than `reference`.
  ///
  /// @throws IllegalArgumentException if the orders are not the same, or there are none
  public static Comparison of(PolicyResults results, PolicyResults reference) {
    var together = new Difference.Builder();
    var sides = new EnumMap<Side, Difference.Builder>(Side.class);
    for (OrderResult difference : results.minus(reference)) {
      Order order = difference.order();
      double bps = difference.advantageBps();
      together.add(order.date(), bps);
      sides.computeIfAbsent(order.side(), _ -> new Difference.Builder()).add(order.date(), bps);
    }
    var built = new EnumMap<Side, Difference>(Side.class);
    sides.forEach((side, builder) -> built.put(side, builder.build()));
    return new Comparison(results.policy(), reference.policy(), together.build(), built);
  }

  /// Returns the comparison of all orders only, for a verdict that ignores the sides.
  public Comparison withoutSides() {
    return new Comparison(policy, reference, together, Map.of());
  }
}
