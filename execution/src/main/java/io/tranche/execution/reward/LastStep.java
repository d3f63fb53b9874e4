package io.tranche.execution.reward;

import io.tranche.execution.ExecutionState;

/// The step that led to a state, which is the one that is rewarded.
final class LastStep {

  /// Remaining amounts below this count as none.
  private static final double NOTHING = 1e-12;

  private LastStep() {}

  /// Returns its number.
  ///
  /// @throws IllegalStateException if no step has been taken
  static int of(ExecutionState state) {
    if (state.step() == 0) {
      throw new IllegalStateException("a step must have been taken, was none: " + state.order());
    }
    return state.step() - 1;
  }

  static int firstRow(ExecutionState state) {
    return state.firstRow(of(state));
  }

  /// Returns the volume it filled.
  static double filled(ExecutionState state) {
    double filled = 0;
    for (int row = firstRow(state); row < state.rows(); row++) {
      filled += state.filled(row);
    }
    return filled;
  }

  /// Returns what remained before it.
  static double remainingBefore(ExecutionState state) {
    int step = of(state);
    return step == 0 ? state.order().amount() : state.remainingAfter(step - 1);
  }

  /// Returns the market's last price before `row`, ignoring missing bars; NaN if there is none.
  static double priceBefore(ExecutionState state, int row) {
    for (int past = row - 1; past >= 0; past--) {
      if (!Double.isNaN(state.marketPrice(past))) {
        return state.marketPrice(past);
      }
    }
    return Double.NaN;
  }

  /// Whether it was the order's last step.
  static boolean isFinal(ExecutionState state) {
    return state.remaining() < NOTHING || state.tick() >= state.endTick();
  }
}
