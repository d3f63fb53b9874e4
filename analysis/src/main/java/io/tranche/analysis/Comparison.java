package io.tranche.analysis;

import io.tranche.market.Side;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// How much better one policy is than another on the same orders, pair by pair, in basis points.
///
/// @param policy the one
/// @param reference the other
/// @param together all orders
/// @param sides the orders of each side that there is
public record Comparison(
    String policy, String reference, Difference together, Map<Side, Difference> sides) {

  public Comparison {
    sides = Map.copyOf(sides);
  }

  /// Returns by how much `results` are better than `reference`.
  ///
  /// @throws IllegalArgumentException if the two are not of the same orders, or there are none
  public static Comparison of(PolicyResults results, PolicyResults reference) {
    List<OrderResult> ours = results.orders();
    List<OrderResult> theirs = reference.orders();
    if (ours.isEmpty() || ours.size() != theirs.size()) {
      throw new IllegalArgumentException(
          "orders must be the same and at least one, was %d and %d"
              .formatted(ours.size(), theirs.size()));
    }
    var together = new Difference.Builder();
    var sides = new EnumMap<Side, Difference.Builder>(Side.class);
    for (int i = 0; i < ours.size(); i++) {
      var order = ours.get(i).order();
      if (!order.equals(theirs.get(i).order())) {
        throw new IllegalArgumentException(
            "orders must be the same, was %s and %s".formatted(order, theirs.get(i).order()));
      }
      double bps = ours.get(i).advantageBps() - theirs.get(i).advantageBps();
      together.add(order.date(), bps);
      sides.computeIfAbsent(order.side(), _ -> new Difference.Builder()).add(order.date(), bps);
    }
    var built = new EnumMap<Side, Difference>(Side.class);
    sides.forEach((side, builder) -> built.put(side, builder.build()));
    return new Comparison(results.policy(), reference.policy(), together.build(), built);
  }

  /// Returns the same of all orders only, for a verdict that does not ask for each side.
  public Comparison withoutSides() {
    return new Comparison(policy, reference, together, Map.of());
  }
}
