package io.tranche.execution.interpreter;

import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import java.util.List;
import java.util.Map;

/// Shows a policy the progress of the order, and nothing about the market. Qlib:
/// `CurrentStepStateInterpreter`.
///
/// In Qlib's dialect the observation consists of plain values, and the one after the last step is
/// outside its own space (quirk Q5); the native space includes it.
public final class CurrentStepInterpreter
    implements StateInterpreter<ExecutionState, CurrentStepObservation> {

  private final int maxSteps;
  private final boolean plain;
  private final int lastStep;
  private final Space space;

  private CurrentStepInterpreter(int maxSteps, boolean plain) {
    this.maxSteps = FullHistoryInterpreter.requirePositive("maxSteps", maxSteps);
    this.plain = plain;
    this.lastStep = plain ? maxSteps - 1 : maxSteps;
    Space amount = FullHistoryInterpreter.amounts(List.of());
    this.space =
        new Space.Dict(
            Map.of(
                "acquiring",
                new Space.Discrete(2),
                "cur_step",
                Space.Box.scalar(ElementType.INT32, 0, lastStep),
                "num_step",
                Space.Box.scalar(ElementType.INT32, maxSteps, maxSteps),
                "target",
                amount,
                "position",
                amount));
  }

  /// @param maxSteps the maximal number of decisions of an order
  public static CurrentStepInterpreter of(int maxSteps) {
    return new CurrentStepInterpreter(maxSteps, false);
  }

  /// Qlib's behaviour.
  public static CurrentStepInterpreter qlib(int maxSteps) {
    return new CurrentStepInterpreter(maxSteps, true);
  }

  /// Returns the maximal number of decisions of an order.
  public int maxSteps() {
    return maxSteps;
  }

  @Override
  public Space observationSpace() {
    return space;
  }

  /// @throws IllegalArgumentException if the order has taken more than `maxSteps` decisions
  @Override
  public CurrentStepObservation interpret(ExecutionState state) {
    NextStep.requireRoom(state, maxSteps);
    return new CurrentStepObservation(
        state.order().side(),
        state.step(),
        maxSteps,
        state.order().amount(),
        state.remaining(),
        plain);
  }

  /// Hot path: allocates only the observation.
  @Override
  public CurrentStepObservation observe(ExecutionState state) {
    CurrentStepObservation observation = interpret(state);
    boolean sound =
        observation.step() <= lastStep
            && (float) observation.remaining() >= (float) FullHistoryInterpreter.LOWEST_AMOUNT;
    if (!sound) {
      space.validate(observation.toValue());
    }
    return observation;
  }
}
