package io.tranche.execution.reward;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// The gain of an order during a step, in basis points: of the fills, at their prices, and of what
/// remains, at the price at the end of the step, both relative to the price at the start of the
/// step.
///
/// Over an episode it adds up to the same as [ShortfallReward], but a decision is rewarded when the
/// price moves and not when the rest is traded hours later. (It is that reward plus the change of a
/// potential, the value of what remains at the last price, so the optimal policy is the same: Ng,
/// Harada and Russell, 1999.) Fees are included.
///
/// @param scale what the basis points are multiplied by
public record HoldingReward(double scale) implements Reward<ExecutionState> {

  /// @throws ArithmeticException if the reward is not finite; names the order and the step
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double gain = ShortfallReward.savedBps(state) + kept(state);
    FiniteReward.require("holding", gain, state);
    context.log().scalar("reward/holding", gain);
    return gain * scale;
  }

  /// Returns the change, in the last step, of the value of what remains, which is zero once the
  /// order is over.
  private static double kept(ExecutionState state) {
    double arrival = ShortfallReward.arrivalPrice(state);
    if (Double.isNaN(arrival)) {
      return 0;
    }
    double after =
        LastStep.isFinal(state)
            ? 0
            : state.remaining() * (LastStep.priceBefore(state, state.rows()) - arrival);
    int first = LastStep.firstRow(state);
    double lastPrice = LastStep.priceBefore(state, first);
    double before =
        Double.isNaN(lastPrice) ? 0 : LastStep.remainingBefore(state) * (lastPrice - arrival);
    int sign = state.order().side().sign();
    return -10_000 * sign * (after - before) / (arrival * state.order().amount());
  }
}
