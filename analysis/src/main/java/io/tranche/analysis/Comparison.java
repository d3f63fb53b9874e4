package io.tranche.analysis;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How much better one policy is than another on the same orders, pair by pair and after costs, in
/// basis points.
///
/// @param together all orders
/// @param sides the orders of each side that occurs
/// @param completion the mean part of an order that the policy filled
/// @param referenceCompletion the same of the reference
/// @param scatterBps the standard deviation of the differences of single orders
/// @param isPaired whether each order is known to have its opposite, of the same instrument and
///   window, so that a market that rises or falls has no part in what all orders won together if
///   the policy trades both sides alike
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
    var differences = new Builder(results.policy(), reference.policy());
    var unpaired = new HashMap<Window, Integer>();
    List<OrderResult> pairs = results.minus(reference);
    for (int i = 0; i < pairs.size(); i++) {
      Order order = pairs.get(i).order();
      differences.add(
          order.date(),
          order.side(),
          pairs.get(i).netAdvantageBps(),
          results.orders().get(i).completion(),
          reference.orders().get(i).completion());
      unpaired.merge(Window.of(order), order.side().sign(), Integer::sum);
    }
    return differences.build(unpaired.values().stream().allMatch(count -> count == 0));
  }

  /// Collects orders one by one: for orders of which no more was recorded than what a comparison
  /// needs.
  public static final class Builder {

    private final String policy;
    private final String reference;
    private final Difference.Builder together = new Difference.Builder();
    private final Map<Side, Difference.Builder> sides = new EnumMap<>(Side.class);
    private final DoubleSummaryStatistics filled = new DoubleSummaryStatistics();
    private final DoubleSummaryStatistics referenceFilled = new DoubleSummaryStatistics();
    private double squares;

    public Builder(String policy, String reference) {
      this.policy = policy;
      this.reference = reference;
    }

    /// @param bps how much better the policy is than the reference on this order, after costs
    /// @param completion the part of the order that the policy filled
    /// @param referenceCompletion the same of the reference
    public void add(
        LocalDate date, Side side, double bps, double completion, double referenceCompletion) {
      together.add(date, bps);
      sides.computeIfAbsent(side, _ -> new Difference.Builder()).add(date, bps);
      filled.accept(completion);
      referenceFilled.accept(referenceCompletion);
      squares += bps * bps;
    }

    /// @param isPaired whether each order is known to have its opposite
    /// @throws IllegalStateException if nothing was added
    public Comparison build(boolean isPaired) {
      var built = new EnumMap<Side, Difference>(Side.class);
      sides.forEach((side, builder) -> built.put(side, builder.build()));
      Difference all = together.build();
      double mean = all.meanBps();
      return new Comparison(
          policy,
          reference,
          all,
          built,
          filled.getAverage(),
          referenceFilled.getAverage(),
          Math.sqrt(Math.max(0, squares / all.orders() - mean * mean)),
          isPaired);
    }
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
