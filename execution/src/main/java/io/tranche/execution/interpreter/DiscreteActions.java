package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.execution.OrderProgress;

/// What the choices of a discrete action interpreter mean, without a market and without making
/// objects: what decisions outside a simulator are read with. Stateless.
///
/// Hot path: nothing here allocates.
public interface DiscreteActions {

  /// Returns how many choices there are, 0 if actions cannot be counted after all.
  int choices();

  /// Returns the volume that `choice` asks for.
  ///
  /// @param isLast whether no decision follows
  double volume(OrderProgress progress, boolean isLast, int choice);

  /// Returns how that volume is to trade.
  ///
  /// @param isLast whether no decision follows
  ChildOrder.Kind kind(boolean isLast, int choice);
}
