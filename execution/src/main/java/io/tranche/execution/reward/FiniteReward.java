package io.tranche.execution.reward;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// A reward that stops the run if it is not finite; the error names the order, the step and the
/// term.
///
/// @param term its name in the error
public record FiniteReward(String term, Reward<ExecutionState> reward)
    implements Reward<ExecutionState> {

  /// @throws ArithmeticException if the reward is NaN or infinite
  @Override
  public double reward(ExecutionState state, EnvContext context) {
    return require(term, reward.reward(state, context), state);
  }

  static double require(String term, double value, ExecutionState state) {
    if (!Double.isFinite(value)) {
      throw new ArithmeticException(
          "reward term %s must be finite, was %s at step %d of %s"
              .formatted(term, value, state.step(), state.order()));
    }
    return value;
  }
}
