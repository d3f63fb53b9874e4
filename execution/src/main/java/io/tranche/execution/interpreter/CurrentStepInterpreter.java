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
/// In Qlib the observation consists of plain values, and the one after the last step is outside its
/// own space (quirk Q5); here the space includes it.
public final class CurrentStepInterpreter
    implements StateInterpreter<ExecutionState, CurrentStepObservation> {

  private final int maxSteps;
  private final boolean plain;
  private final int lastStep;
  private final Space space;

  private CurrentStepInterpreter(int maxSteps, boolean plain, int lastStep) {
    this.maxSteps = FullHistoryInterpreter.requirePositive("maxSteps", maxSteps);
    this.plain = plain;
    this.lastStep = lastStep;
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
    return new CurrentStepInterpreter(maxSteps, false, maxSteps);
  }

  /// Qlib's behaviour.
  public static CurrentStepInterpreter qlib(int maxSteps) {
    return new CurrentStepInterpreter(maxSteps, true, maxSteps - 1);
  }

  /// Qlib's values, with the observation after the last step inside the space: a run goes on, where
  /// Qlib's would end with an error.
  public static CurrentStepInterpreter qlibToTheEnd(int maxSteps) {
    return new CurrentStepInterpreter(maxSteps, true, maxSteps);
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
