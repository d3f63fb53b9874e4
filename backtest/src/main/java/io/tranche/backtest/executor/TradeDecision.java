package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.ExchangeOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a strategy wants in one step: orders for the level below. Qlib: `TradeDecisionWO`.
///
/// @param range the times at which they may trade; null for the range of the decision above
public record TradeDecision(List<ExchangeOrder> orders, @Nullable TradeRange range) {

  /// Amounts up to this count as none.
  private static final double NOTHING = 1e-6;

  public static final TradeDecision EMPTY = new TradeDecision(List.of(), null);

  public TradeDecision {
    orders = List.copyOf(orders);
  }

  public static TradeDecision of(List<ExchangeOrder> orders) {
    return new TradeDecision(orders, null);
  }

  TradeDecision within(@Nullable TradeRange outer) {
    return range == null && outer != null ? new TradeDecision(orders, outer) : this;
  }

  /// Whether there is nothing to trade.
  public boolean isEmpty() {
    for (ExchangeOrder order : orders) {
      if (order.amount() > NOTHING) {
        return false;
      }
    }
    return true;
  }

  int firstStep(StepCalendar steps) {
    return range == null ? 0 : range.firstStep(steps);
  }

  int lastStep(StepCalendar steps) {
    return range == null ? steps.count() - 1 : range.lastStep(steps);
  }
}
