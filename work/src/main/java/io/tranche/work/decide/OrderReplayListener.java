package io.tranche.work.decide;

import io.tranche.market.order.NamedOrder;

/// Hears what a desk does, as it does it.
public interface OrderReplayListener {

  void decided(OrderDecision decision);

  /// Something was left out. Told once a kind.
  void warned(String warning);

  default void opened(NamedOrder order) {}

  /// Bars were taken, ticks without one left out.
  default void took(int bars) {}

  default void filled(DecisionMaker.Fill fill) {}

  /// An order's day is over.
  default void concluded(OrderOutcome outcome) {}
}
