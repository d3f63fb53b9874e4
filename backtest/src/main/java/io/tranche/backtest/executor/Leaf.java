package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.ExchangeFill;
import java.util.List;

/// The lowest level: where orders meet bars.
interface Leaf {

  /// Executes the decision for the current step of `level`.
  List<ExchangeFill> fill(Level level, TradeDecision decision);

  /// Whether an order has exactly one fill, so that a second fill of an instrument belongs to a
  /// second order.
  boolean fillsOnce();
}
