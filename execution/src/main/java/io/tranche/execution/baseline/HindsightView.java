package io.tranche.execution.baseline;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.execution.ExecutionState;

/// An order with its whole day, as if the day were over. Only an evaluation may use it.
///
/// @param state whose ticks are those of the whole day
public record HindsightView(ExecutionState state) implements Observation {

  @Override
  public Value toValue() {
    return new DecisionView(state).toValue();
  }
}
