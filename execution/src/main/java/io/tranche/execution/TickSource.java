package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.DataException;
import io.tranche.market.Order;

/// Where simulators find the ticks of an order's day. Safe to use from several threads.
///
/// Days are shared by all orders on them, so implementations keep what they made.
@FunctionalInterface
public interface TickSource {

  /// Returns the whole day that `order` trades on, priced for its side.
  ///
  /// @throws DataException if there are no data of the instrument or the day
  DayTicks ticks(Order order);
}
