package io.tranche.execution.interpreter;

import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.StepProgress;

/// The next decision of an order.
final class NextStep {

  private NextStep() {}

  /// Returns the volume of the next step when trading evenly until the end; 0 if the order is over.
  static double evenSlice(StepProgress order) {
    int left = order.endTick() - order.tick();
    return left <= 0 ? 0 : order.remaining() * (order.stepEnd() - order.tick()) / left;
  }

  /// Whether the next step is the last one.
  static boolean isLast(ExecutionState state) {
    return state.stepEnd() >= state.endTick();
  }

  /// Returns the index of a discrete action.
  static int choice(Action action) {
    return switch (action) {
      case Action.Discrete(int choice) -> choice;
      case Action.Continuous(double value) ->
          throw new IllegalArgumentException("action must be discrete, was " + value);
      case Action.Vector(var values) ->
          throw new IllegalArgumentException("action must be discrete, was " + values);
    };
  }

  /// @throws IllegalArgumentException if the order has taken more than `maxSteps` decisions
  static void requireRoom(ExecutionState state, int maxSteps) {
    if (state.step() > maxSteps) {
      throw new IllegalArgumentException(
          "step must be at most %d, was %d of %s".formatted(maxSteps, state.step(), state.order()));
    }
  }
}
