package io.tranche.execution.reward;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// What the market did to an order during a step, in basis points: what was traded, at the price it
/// got, and what was kept back, at the price where the step ended, both against the price where the
/// step began.
///
/// Over an episode it adds up to the same as [ShortfallReward], but a decision is paid for when the
/// price moves and not when the rest is traded hours later. (It is that reward plus the change of a
/// potential, the worth of what remains at the last price, which leaves the best policy what it is:
/// Ng, Harada and Russell, 1999.) Fees count.
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

  /// Returns by how much the worth of what remains, which is nothing once the order is over,
  /// changed in the last step.
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
