package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.Simulator;
import io.tranche.market.Order;

/// A simulator without its market data, as a configuration names it.
public interface SimulatorSetup {

  /// Returns the minutes from one decision to the next.
  int minutesPerStep();

  /// Returns a factory of episodes. Everything that episodes share is made here, so an episode is
  /// cheap.
  Simulator.Factory<Order, ExecutionState, ChildOrder> over(TickSource ticks);
}
