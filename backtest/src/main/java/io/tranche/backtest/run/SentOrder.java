package io.tranche.backtest.run;

import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.market.Order;
import java.util.List;

/// A child order as it was sent, filled or not.
///
/// @param level the width of the step that it was sent for, as written in the configuration
/// @param parents the orders that it belongs to: more than one only if several of one side were
///   worked together on one day
public record SentOrder(String level, ExchangeOrder order, List<Order> parents) {

  public SentOrder {
    parents = List.copyOf(parents);
  }
}
