package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.market.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is left of the orders that a strategy splits.
final class Remaining {

  private final boolean bySide;
  private final Map<String, double[]> amounts = new HashMap<>();

  /// @param bySide false if a purchase and a sale of one instrument share one number, that of the
  ///   last order, as in Qlib (quirk Q33)
  Remaining(boolean bySide) {
    this.bySide = bySide;
  }

  void begin(List<ExchangeOrder> orders) {
    amounts.clear();
    for (ExchangeOrder order : orders) {
      amounts.computeIfAbsent(order.instrument(), _ -> new double[2])[slot(order.side())] =
          order.amount();
    }
  }

  void take(@Nullable List<ExchangeFill> fills) {
    if (fills != null) {
      for (ExchangeFill fill : fills) {
        amounts(fill.order())[slot(fill.order().side())] -= fill.amount();
      }
    }
  }

  double of(ExchangeOrder order) {
    return amounts(order)[slot(order.side())];
  }

  private double[] amounts(ExchangeOrder order) {
    double[] known = amounts.get(order.instrument());
    if (known == null) {
      throw new IllegalStateException("order must be one of the strategy's, was " + order);
    }
    return known;
  }

  private int slot(Side side) {
    return bySide ? side.code() : 0;
  }
}
