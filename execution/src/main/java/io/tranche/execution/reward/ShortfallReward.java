package io.tranche.execution.reward;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// What a step saved compared with trading the whole order at once at its arrival price:
/// implementation shortfall (Perold 1988), in basis points, with the sign such that more is better.
///
/// Fees are included. What is left at the end of the order's window is charged as if it had been
/// traded at the last price at which it could have been. So the rewards of an episode add up to the
/// shortfall of the whole order.
///
/// @param scale what the basis points are multiplied by
public record ShortfallReward(double scale) implements Reward<ExecutionState> {

  /// @throws ArithmeticException if the reward is not finite; names the order and the step
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double saved = FiniteReward.require("shortfall", savedBps(state), state);
    context.log().scalar("reward/shortfall", saved);
    return saved * scale;
  }

  static double savedBps(ExecutionState state) {
    double arrival = arrivalPrice(state);
    if (Double.isNaN(arrival)) {
      return 0; // all bars so far are missing, so nothing was filled
    }
    int sign = state.order().side().sign();
    int from = LastStep.firstRow(state);
    double cost = state.fees(from, state.rows());
    for (int row = from; row < state.rows(); row++) {
      if (state.filled(row) != 0) { // the price of a missing bar is NaN
        cost += sign * (state.tradePrice(row) - arrival) * state.filled(row);
      }
    }
    if (LastStep.isFinal(state) && state.remaining() > 0) {
      cost += sign * (LastStep.restPrice(state) - arrival) * state.remaining();
    }
    return -10_000 * cost / (arrival * state.order().amount());
  }

  /// Returns the first price in the order's window; NaN if it has none so far.
  static double arrivalPrice(ExecutionState state) {
    for (int row = 0; row < state.rows(); row++) {
      if (!Double.isNaN(state.marketPrice(row))) {
        return state.marketPrice(row);
      }
    }
    return Double.NaN;
  }
}
