package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.Simulator;
import io.tranche.market.Order;

/// A simulator that still lacks its market data: what a configuration can name.
public interface SimulatorSetup {

  /// Returns what makes an episode out of an order, cheaply: everything that episodes share is made
  /// here.
  Simulator.Factory<Order, ExecutionState, ChildOrder> over(TickSource ticks);
}
