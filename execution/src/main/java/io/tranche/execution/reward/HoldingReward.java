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
/// @param leavingBps the price of leaving TWAP, in basis points of the volume that is filled in
///   another step than TWAP's; 0 for none
public record HoldingReward(double scale, double leavingBps) implements Reward<ExecutionState> {

  public HoldingReward {
    if (!(leavingBps >= 0)) {
      throw new IllegalArgumentException("leavingBps must not be negative, was " + leavingBps);
    }
  }

  /// Leaving TWAP is free.
  public HoldingReward(double scale) {
    this(scale, 0);
  }

  /// @throws ArithmeticException if the reward is not finite; names the order and the step
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double gain = ShortfallReward.savedBps(state) + kept(state) - leaving(state);
    FiniteReward.require("holding", gain, state);
    context.log().scalar("reward/holding", gain);
    return gain * scale;
  }

  private double leaving(ExecutionState state) {
    if (leavingBps == 0) {
      return 0;
    }
    int ticks = state.rows() - LastStep.firstRow(state);
    int left = state.endTick() - state.tick() + ticks;
    double even = LastStep.remainingBefore(state) * ticks / left;
    return leavingBps * Math.abs(LastStep.filled(state) - even) / state.order().amount();
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
