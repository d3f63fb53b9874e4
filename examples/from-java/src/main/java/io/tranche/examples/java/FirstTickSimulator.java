package io.tranche.examples.java;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.EnvContext;
import io.tranche.env.Simulator;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.TickSource;
import io.tranche.market.Order;

/// A simulator of your own: a child order is filled whole at the first tick of its step, and the
/// last one takes everything.
public record FirstTickSimulator(int minutesPerStep, int minutesPerTick) implements SimulatorSetup {

  @Override
  public Simulator.Factory<Order, ExecutionState, ChildOrder> over(TickSource ticks) {
    return (order, context) ->
        Simulator.of(
            ExecutionState.first(order, ticks.ticks(order), minutesPerStep / minutesPerTick),
            (state, child) -> fill(state, child, context),
            ExecutionState::isFinished);
  }

  private static ExecutionState fill(ExecutionState state, ChildOrder child, EnvContext context) {
    boolean isLast = state.stepEnd() == state.endTick();
    double volume = isLast ? state.remaining() : Math.min(child.volume(), state.remaining());
    double[] filled = new double[state.stepEnd() - state.tick()];
    filled[0] = volume;
    ExecutionState next = state.next(volume, filled);
    if (next.metrics() != null) {
      context.log().scalar("pa", next.metrics().advantageBps());
      context.log().scalar("ffr", next.metrics().fillRate());
    }
    return next;
  }
}
