package io.tranche.analysis;

import io.tranche.market.Side;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What a policy made of a set of orders, in their order.
///
/// @param policy what to call it
public record PolicyResults(String policy, List<OrderResult> orders) {

  public PolicyResults {
    orders = List.copyOf(orders);
  }

  /// Returns the mean advantage of an order in basis points; NaN if there is none.
  ///
  /// @param side null for both together
  public double meanBps(@Nullable Side side) {
    return mean(side, OrderResult::advantageBps);
  }

  /// Returns the mean part of an order that was executed; NaN if there is none.
  ///
  /// @param side null for both together
  public double fillRate(@Nullable Side side) {
    return mean(side, OrderResult::fillRate);
  }

  private double mean(@Nullable Side side, ToDoubleFunction<OrderResult> number) {
    return orders.stream()
        .filter(result -> side == null || result.order().side() == side)
        .mapToDouble(number)
        .average()
        .orElse(Double.NaN);
  }

  /// Whether every order ended exactly as it did for `other`.
  public boolean isSameAs(PolicyResults other) {
    return orders.equals(other.orders);
  }
}
