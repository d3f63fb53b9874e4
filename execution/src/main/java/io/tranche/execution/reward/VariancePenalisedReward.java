package io.tranche.execution.reward;

import io.tranche.backtest.Costs;
import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// The shortfall that a step saved, minus a penalty for the risk of what remained: the
/// mean-variance objective of Almgren and Chriss (2000), paid step by step.
///
/// The risk of a tick is the square of (share of the order not yet traded) times (price move since
/// the tick before, in basis points of the arrival price).
///
/// @param riskAversion the cost of a squared basis point, in basis points; not negative
/// @param scale what the sum is multiplied by
public record VariancePenalisedReward(double riskAversion, double scale)
    implements Reward<ExecutionState> {

  public VariancePenalisedReward {
    Costs.requireNotNegative("riskAversion", riskAversion);
  }

  /// @throws ArithmeticException if a part is not finite; names the order and the step
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double saved = FiniteReward.require("shortfall", ShortfallReward.savedBps(state), state);
    double risk = FiniteReward.require("risk", -riskAversion * variance(state), state);
    context.log().scalar("reward/shortfall", saved);
    context.log().scalar("reward/risk", risk);
    return (saved + risk) * scale;
  }

  private static double variance(ExecutionState state) {
    double arrival = ShortfallReward.arrivalPrice(state);
    int from = LastStep.firstRow(state);
    double before = LastStep.priceBefore(state, from);
    double held = LastStep.remainingBefore(state) / state.order().amount();
    double variance = 0;
    for (int row = from; row < state.rows(); row++) {
      double price = state.marketPrice(row);
      if (!Double.isNaN(price)) { // a missing bar moves nothing
        double move = Double.isNaN(before) ? 0 : 10_000 * (price - before) / arrival;
        variance += held * held * move * move;
        before = price;
      }
      held -= state.filled(row) / state.order().amount();
    }
    return variance;
  }
}
