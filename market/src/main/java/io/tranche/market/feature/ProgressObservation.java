package io.tranche.market.feature;

/// How far an order is at one decision: what the smallest networks read. Hot path: allocates
/// nothing.
public interface ProgressObservation {

  /// Returns the share of the order that remains.
  float remainingShare();

  /// Returns the share of the decisions that were taken.
  float stepShare();

  /// Returns 1 for a buy and 0 for a sell.
  int sideCode();
}
