package io.tranche.execution.baseline;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.execution.ExecutionState;

/// An order with its whole day, as if the day were over. Only an evaluation may use it.
public final class HindsightView implements Observation {

  private final ExecutionState state;

  HindsightView(ExecutionState state) {
    this.state = state;
  }

  /// Returns the state, whose ticks are those of the whole day.
  public ExecutionState state() {
    return state;
  }

  @Override
  public Value toValue() {
    return new DecisionView(state).toValue();
  }
}
