package io.tranche.analysis;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.EnumMap;
import java.util.Map;

/// How much better one policy is than another on the same orders, pair by pair and after costs, in
/// basis points.
///
/// @param together all orders
/// @param sides the orders of each side that occurs
/// @param completion the mean part of an order that the policy filled
/// @param referenceCompletion the same of the reference
/// @param scatterBps the standard deviation of the differences of single orders
public record Comparison(
    String policy,
    String reference,
    Difference together,
    Map<Side, Difference> sides,
    double completion,
    double referenceCompletion,
    double scatterBps) {

  public Comparison {
    sides = Map.copyOf(sides);
  }

  /// Returns by how much `results` are better than `reference`.
  ///
  /// @throws IllegalArgumentException if the orders are not the same, or there are none
  public static Comparison of(PolicyResults results, PolicyResults reference) {
    var together = new Difference.Builder();
    var sides = new EnumMap<Side, Difference.Builder>(Side.class);
    double squares = 0;
    for (OrderResult difference : results.minus(reference)) {
      Order order = difference.order();
      double bps = difference.netAdvantageBps();
      squares += bps * bps;
      together.add(order.date(), bps);
      sides.computeIfAbsent(order.side(), _ -> new Difference.Builder()).add(order.date(), bps);
    }
    var built = new EnumMap<Side, Difference>(Side.class);
    sides.forEach((side, builder) -> built.put(side, builder.build()));
    Difference all = together.build();
    double mean = all.meanBps();
    return new Comparison(
        results.policy(),
        reference.policy(),
        all,
        built,
        results.completion(null),
        reference.completion(null),
        Math.sqrt(Math.max(0, squares / all.orders() - mean * mean)));
  }

  /// Whether the policy wins on one order of a pair what it loses on the other.
  public boolean cancels() {
    return together.cancels(scatterBps);
  }

  /// Whether there are as many buys as sells, so that a market that rises or falls has no part in
  /// what all orders won together.
  public boolean isPaired() {
    return sides.size() == Side.values().length
        && sides.values().stream().mapToInt(Difference::orders).distinct().count() == 1;
  }

  /// Returns the comparison of all orders only, for a verdict that ignores the sides.
  public Comparison withoutSides() {
    return new Comparison(
        policy, reference, together, Map.of(), completion, referenceCompletion, scatterBps);
  }
}
