package io.tranche.execution;

import io.tranche.market.Order;

/// How far an order is: all that an observation shows of it, wherever the order is worked.
public interface OrderProgress {

  Order order();

  /// Returns how many decisions have been taken.
  int step();

  /// Returns what remains to be traded.
  double remaining();

  /// Returns what remained after `past`, a step that has been taken.
  double remainingAfter(int past);
}
