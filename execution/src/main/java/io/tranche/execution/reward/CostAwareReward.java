package io.tranche.execution.reward;

import io.tranche.backtest.Costs;
import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// The price advantage of a step's fills, minus their fees, in basis points of the whole order.
///
/// Impact needs no extra term: it is in the prices. The rewards of an episode add up to the order's
/// advantage over its TWAP, net of fees; what is not filled counts at the last price at which it
/// could have traded.
///
/// @param costWeight the weight of fees; 1 is the same as the price
/// @param scale what the sum is multiplied by
public record CostAwareReward(double costWeight, double scale) implements Reward<ExecutionState> {

  public CostAwareReward {
    Costs.requireNotNegative("costWeight", costWeight);
  }

  /// @throws ArithmeticException if a part is not finite; names the order and the step
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double amount = state.order().amount();
    double filled = LastStep.filled(state);
    double advantage =
        state.stepAdvantageBps(LastStep.of(state)) * filled / amount
            + LastStep.restAdvantageBps(state);
    double fees = state.fees(LastStep.firstRow(state), state.rows());
    double cost = fees == 0 ? 0 : -10_000 * costWeight * fees / (amount * state.twapPrice());
    FiniteReward.require("pa", advantage, state);
    FiniteReward.require("cost", cost, state);
    context.log().scalar("reward/pa", advantage);
    context.log().scalar("reward/cost", cost);
    return (advantage + cost) * scale;
  }
}
