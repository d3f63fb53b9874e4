package io.tranche.backtest.run;

import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.market.Order;
import java.util.List;

/// A child order as it was sent, whatever became of it.
///
/// @param level how wide the step is that it was sent for, as the configuration says it
/// @param parents the orders that it is a part of: more than one only where several of one side
///   were worked together on one day
public record SentOrder(String level, ExchangeOrder order, List<Order> parents) {

  public SentOrder {
    parents = List.copyOf(parents);
  }
}
