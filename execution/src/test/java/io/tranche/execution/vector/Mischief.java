package io.tranche.execution.vector;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// A reward that throws on one day of one instrument, in step 2.
///
/// @param mode `none` or `throw`
record Mischief(String mode, String instrument, String date) implements Reward<ExecutionState> {

  @Override
  public double reward(ExecutionState state, EnvContext context) {
    boolean here =
        state.order().instrument().equals(instrument)
            && state.order().date().toString().equals(date)
            && state.step() == 2;
    if (here && mode.equals("throw")) {
      throw new ArithmeticException("no price at " + state);
    }
    return state.stepAdvantageBps(state.step() - 1);
  }
}
