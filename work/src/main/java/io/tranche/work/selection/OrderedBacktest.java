package io.tranche.work.selection;

import io.tranche.config.ConfigNode;
import io.tranche.market.Order;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A backtest that compares checkpoints.
///
/// @param config in Qlib's dialect
/// @param orders null for those of the file that the configuration names
public record OrderedBacktest(ConfigNode config, @Nullable List<Order> orders) {

  public OrderedBacktest {
    orders = orders == null ? null : List.copyOf(orders);
  }
}
