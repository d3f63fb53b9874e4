package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.execution.OrderProgress;

/// The meaning of each choice of a discrete action interpreter, for decisions outside a simulator.
/// Needs no market. Stateless.
///
/// Hot path: nothing here allocates.
public interface DiscreteActions {

  /// Returns the number of choices, 0 if the actions are not discrete.
  int choices();

  /// Returns the volume that `choice` asks for.
  ///
  /// @param isLast whether no decision follows
  double volume(OrderProgress progress, boolean isLast, int choice);

  /// Returns how to trade that volume.
  ///
  /// @param isLast whether no decision follows
  ChildOrder.Kind kind(boolean isLast, int choice);
}
