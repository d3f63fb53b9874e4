package io.tranche.execution.baseline;

import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import java.util.Map;

/// Shows a rule what it may know. Use it with [io.tranche.execution.interpreter.VolumeInterpreter].
public record DecisionInterpreter() implements StateInterpreter<ExecutionState, DecisionView> {

  private static final Space COUNT = Space.Box.scalar(ElementType.INT32, 0, Integer.MAX_VALUE);
  private static final Space AMOUNT =
      Space.Box.scalar(ElementType.FLOAT32, 0, Double.POSITIVE_INFINITY);

  static final Space SPACE =
      new Space.Dict(
          Map.of(
              "acquiring", new Space.Discrete(2),
              "cur_step", COUNT,
              "num_step", COUNT,
              "target", AMOUNT,
              "position", AMOUNT));

  @Override
  public Space observationSpace() {
    return SPACE;
  }

  @Override
  public DecisionView interpret(ExecutionState state) {
    return new DecisionView(state);
  }

  /// Hot path: allocates only the view.
  @Override
  public DecisionView observe(ExecutionState state) {
    if (!(state.remaining() >= 0)) {
      SPACE.validate(interpret(state).toValue());
    }
    return interpret(state);
  }
}
