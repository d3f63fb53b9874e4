package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.DataException;
import io.tranche.market.Order;

/// Where simulators find the ticks of an order's day. Safe to use from several threads.
///
/// All orders of a day share it, so implementations cache days.
@FunctionalInterface
public interface TickSource {

  /// Returns the whole trading day of `order`, with the prices of its side.
  ///
  /// @throws DataException if there are no data for the instrument or the day
  DayTicks ticks(Order order);
}
