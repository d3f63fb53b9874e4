package io.tranche.execution.baseline;

import io.tranche.env.Action;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import java.util.Arrays;
import java.util.List;

/// Always says the same. With [io.tranche.execution.interpreter.TwapRelativeInterpreter], saying 1
/// is TWAP. Qlib: `AllOne`.
///
/// @param <O> whatever it does not look at
public record AllOne<O extends Observation>(Action action) implements Policy<O> {

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    var actions = new Action[observations.size()];
    Arrays.fill(actions, action);
    return actions;
  }
}
