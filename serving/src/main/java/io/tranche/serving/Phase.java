package io.tranche.serving;

/// Where an order, or a child order in the market, is.
///
/// ```
/// PENDING_NEW ──► WORKING ──► PENDING_CANCEL ──► DONE
///       └────────────┴───────────────────────────┘
/// ```
public enum Phase {
  /// A child order that the market has not confirmed; an order without a child order.
  PENDING_NEW,
  WORKING,
  /// It must be withdrawn from the market and may still fill: its volume stays reserved.
  PENDING_CANCEL,
  /// Nothing of it is out in the market.
  DONE
}
