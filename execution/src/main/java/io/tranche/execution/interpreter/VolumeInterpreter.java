package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;

/// Reads an action as the volume to trade at the market, at most what remains.
public record VolumeInterpreter() implements ActionInterpreter<ExecutionState, ChildOrder> {

  private static final Space SPACE =
      Space.Box.scalar(ElementType.FLOAT64, 0, Double.POSITIVE_INFINITY);

  @Override
  public Space actionSpace() {
    return SPACE;
  }

  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    return ChildOrder.market(Math.min(action.number(), state.remaining()));
  }
}
