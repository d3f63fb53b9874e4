package io.tranche.work.selection;

import io.tranche.market.Order;
import io.tranche.work.backtest.BacktestPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A backtest with its orders.
///
/// @param orders null for those of the file that the plan names
public record OrderedBacktest(BacktestPlan plan, @Nullable List<Order> orders) {

  public OrderedBacktest {
    orders = orders == null ? null : List.copyOf(orders);
  }
}
