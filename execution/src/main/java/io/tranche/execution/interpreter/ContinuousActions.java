package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.execution.StepProgress;

/// The meaning of the numbers of a continuous action, for decisions outside a simulator. Needs no
/// market. Stateless.
///
/// Hot path: nothing here allocates.
public interface ContinuousActions {

  /// Returns how many numbers an action has, 0 if the actions are not continuous.
  int numbers();

  /// Returns the volume that the action at `at` asks for.
  ///
  /// @param isLast whether no decision follows
  double volume(StepProgress progress, boolean isLast, float[] action, int at);

  /// Returns how to trade that volume.
  ///
  /// @param isLast whether no decision follows
  ChildOrder.Kind kind(boolean isLast, float[] action, int at);

  /// Returns the action that trades like TWAP, as far as this one can, of an order with `steps`
  /// decisions: where an agent begins to learn.
  double[] twap(int steps);
}
