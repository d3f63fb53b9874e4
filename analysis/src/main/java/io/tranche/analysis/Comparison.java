package io.tranche.analysis;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDateTime;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// How much better one policy is than another on the same orders, pair by pair and after costs, in
/// basis points.
///
/// @param together all orders
/// @param sides the orders of each side that occurs
/// @param completion the mean part of an order that the policy filled
/// @param referenceCompletion the same of the reference
/// @param scatterBps the standard deviation of the differences of single orders
/// @param isPaired whether each order has its opposite, of the same instrument and window, so that
///   a market that rises or falls has no part in what all orders won together if the policy trades
///   both sides alike
public record Comparison(
    String policy,
    String reference,
    Difference together,
    Map<Side, Difference> sides,
    double completion,
    double referenceCompletion,
    double scatterBps,
    boolean isPaired) {

  public Comparison {
    sides = Map.copyOf(sides);
  }

  /// Returns by how much `results` are better than `reference`.
  ///
  /// @throws IllegalArgumentException if the orders are not the same, or there are none
  public static Comparison of(PolicyResults results, PolicyResults reference) {
    var together = new Difference.Builder();
    var sides = new EnumMap<Side, Difference.Builder>(Side.class);
    var unpaired = new HashMap<Window, Integer>();
    double squares = 0;
    for (OrderResult difference : results.minus(reference)) {
      Order order = difference.order();
      double bps = difference.netAdvantageBps();
      squares += bps * bps;
      together.add(order.date(), bps);
      sides.computeIfAbsent(order.side(), _ -> new Difference.Builder()).add(order.date(), bps);
      unpaired.merge(Window.of(order), order.side().sign(), Integer::sum);
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
        Math.sqrt(Math.max(0, squares / all.orders() - mean * mean)),
        unpaired.values().stream().allMatch(count -> count == 0));
  }

  /// What an order and its opposite share.
  private record Window(String instrument, LocalDateTime start, LocalDateTime end) {

    static Window of(Order order) {
      return new Window(order.instrument(), order.start(), order.end());
    }
  }

  /// Whether the policy wins on one order of a pair what it loses on the other.
  public boolean cancels() {
    return together.cancels(scatterBps);
  }

  /// Returns the comparison of all orders only, for a verdict that ignores the sides.
  public Comparison withoutSides() {
    return new Comparison(
        policy,
        reference,
        together,
        Map.of(),
        completion,
        referenceCompletion,
        scatterBps,
        isPaired);
  }
}
