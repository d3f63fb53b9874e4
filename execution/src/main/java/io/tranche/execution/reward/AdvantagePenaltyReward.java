package io.tranche.execution.reward;

import io.tranche.backtest.Sums;
import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// The price advantage of a step, minus a penalty for trading much at once. Qlib:
/// `PAPenaltyReward`.
///
/// The advantage is in basis points of the whole order; the penalty is quadratic in the share of
/// the order that each tick filled.
///
/// @param penalty the weight of the squares of those shares; Qlib's default is 100
/// @param scale what the sum is multiplied by
/// @param weight the amount by which the advantage of a step is weighted
public record AdvantagePenaltyReward(double penalty, double scale, Weight weight)
    implements Reward<ExecutionState> {

  /// The amount that weights a step.
  public enum Weight {
    /// The filled volume; what is left at the end counts as in [CostAwareReward].
    FILLED,
    /// The requested volume, as in Qlib, even if less was filled (quirk Q2).
    REQUESTED
  }

  /// @throws ArithmeticException if the reward is not finite; names the order and the step
  /// @throws IllegalArgumentException if the order's amount is not positive
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double amount = state.order().amount();
    if (!(amount > 0)) {
      throw new IllegalArgumentException("amount must be positive, was that of " + state.order());
    }
    int step = LastStep.of(state);
    double weighted =
        switch (weight) {
          case FILLED -> LastStep.filled(state);
          case REQUESTED -> state.requested(step);
        };
    double advantage = state.stepAdvantageBps(step) * weighted / amount;
    if (weight == Weight.FILLED) {
      advantage += LastStep.restAdvantageBps(state);
    }
    double impact = -penalty * squares(state, amount);
    FiniteReward.require("pa", advantage, state);
    FiniteReward.require("penalty", impact, state);
    context.log().scalar("reward/pa", advantage);
    context.log().scalar("reward/penalty", impact);
    return (advantage + impact) * scale;
  }

  private static double squares(ExecutionState state, double amount) {
    int first = LastStep.firstRow(state);
    var shares = new double[state.rows() - first];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = state.filled(first + i) / amount;
    }
    return Sums.dot(shares, 0, shares, 0, shares.length, Sums.Gaps.SPREAD);
  }
}
