package io.tranche.execution.reward;

import io.tranche.execution.ExecutionMetrics;
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

  /// Returns what the order left unfilled adds to its advantage, in basis points of the whole
  /// order; 0 before the last step, and where it does not count.
  static double restAdvantageBps(ExecutionState state) {
    double price = state.restPrice();
    if (!isFinal(state) || !(state.remaining() > 0) || Double.isNaN(price)) {
      return 0;
    }
    return ExecutionMetrics.advantageBps(state.order().side(), price, state.twapPrice())
        * state.remaining()
        / state.order().amount();
  }

  /// Returns the price at which the order's unfilled rest is worth something; NaN if there is none.
  static double restPrice(ExecutionState state) {
    return Double.isNaN(state.restPrice()) ? priceBefore(state, state.rows()) : state.restPrice();
  }

  /// Whether it was the order's last step.
  static boolean isFinal(ExecutionState state) {
    return state.remaining() < NOTHING || state.tick() >= state.endTick();
  }
}
