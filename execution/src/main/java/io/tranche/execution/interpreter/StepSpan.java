package io.tranche.execution.interpreter;

import io.tranche.execution.ExecutionState;

/// The ticks that the next decision covers.
final class StepSpan {

  private StepSpan() {}

  /// Returns what trading evenly until the end takes in the coming step; 0 if the order is over.
  static double evenSlice(ExecutionState state) {
    int left = state.endTick() - state.tick();
    return left <= 0 ? 0 : state.position() * ticks(state) / left;
  }

  /// Whether the coming step is the last one.
  static boolean isLast(ExecutionState state) {
    return state.tick() + ticks(state) >= state.endTick();
  }

  private static int ticks(ExecutionState state) {
    int width = state.ticksPerStep() - state.tick() % state.ticksPerStep();
    return Math.min(width, state.endTick() - state.tick());
  }
}
