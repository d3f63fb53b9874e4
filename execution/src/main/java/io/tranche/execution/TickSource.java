package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import org.jspecify.annotations.Nullable;

/// Where simulators find the ticks of an order's day. Safe to use from several threads.
///
/// Days are shared by all orders on them, so implementations keep what they made.
@FunctionalInterface
public interface TickSource {

  /// Returns the whole day that `order` trades on, priced for its side.
  ///
  /// @throws DataException if there are no data of the instrument or the day
  DayTicks ticks(Order order);

  /// Returns the calendar of all its days, or null if it does not have one.
  default @Nullable Calendar calendar() {
    return null;
  }

  /// Returns a text that identifies the data, or null if it does not know one.
  default @Nullable String fingerprint() {
    return null;
  }
}
