package @PACKAGE@;

import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;

/// Pays the price advantage over TWAP, in percent, when the order is done, and charges a little for
/// what remains after each step.
///
/// @param hurry what the whole order costs per step in which nothing of it is filled
public record EarlyReward(double hurry) implements Reward<ExecutionState> {

  @Override
  public double reward(ExecutionState state, EnvContext context) {
    double charge = hurry * state.remaining() / state.order().amount();
    return context.isDone() ? state.metrics().advantageBps() / 100 - charge : -charge;
  }
}
