package io.tranche.work.decide;

import io.tranche.market.order.NamedOrder;

/// Receives the events of a replay as they happen.
public interface OrderReplayListener {

  void decided(OrderDecision decision);

  /// Something was left out. Reported once per kind.
  void warned(String warning);

  default void opened(NamedOrder order) {}

  /// Bars were taken; ticks without a bar do not count.
  default void took(int bars) {}

  default void filled(DecisionMaker.Fill fill) {}

  /// An order's day is over.
  default void concluded(OrderOutcome outcome) {}
}
