package io.tranche.execution;

import io.tranche.market.Order;

/// The progress of an order: everything that an observation shows about it, wherever the order is
/// worked.
public interface OrderProgress {

  Order order();

  /// Returns the number of decisions taken.
  int step();

  /// Returns what remains of the order.
  double remaining();

  /// Returns what remained after `past`, a step that has been taken.
  double remainingAfter(int past);
}
