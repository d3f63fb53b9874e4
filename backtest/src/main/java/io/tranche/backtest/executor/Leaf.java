package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.ExchangeFill;
import java.util.List;

/// The lowest level: where orders meet bars.
interface Leaf {

  /// Executes the decision for the current step of `level`.
  List<ExchangeFill> fill(Level level, TradeDecision decision);

  /// Whether an order gives one deal, so that a second deal of an instrument is a second order's.
  boolean fillsOnce();
}
