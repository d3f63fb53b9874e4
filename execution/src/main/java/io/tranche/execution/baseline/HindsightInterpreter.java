package io.tranche.execution.baseline;

import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;

/// Shows a policy the whole day, including the future.
public record HindsightInterpreter(EvaluationPermit permit)
    implements StateInterpreter<ExecutionState, HindsightView> {

  @Override
  public Space observationSpace() {
    return DecisionInterpreter.SPACE;
  }

  @Override
  public HindsightView interpret(ExecutionState state) {
    return new HindsightView(state);
  }
}
