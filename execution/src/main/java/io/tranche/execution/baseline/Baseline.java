package io.tranche.execution.baseline;

import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import java.util.List;

/// A rule-based policy: it decides how much to trade at the market until the next decision.
///
/// In an environment it needs [DecisionInterpreter] and
/// [io.tranche.execution.interpreter.VolumeInterpreter].
@FunctionalInterface
public interface Baseline extends Policy<DecisionView> {

  /// Returns the volume to trade in the next step, in [0, remaining].
  double volume(DecisionView view);

  @Override
  default Action[] act(List<DecisionView> observations, long[] drawKeys, Mode mode) {
    var actions = new Action[observations.size()];
    for (int row = 0; row < actions.length; row++) {
      actions[row] = new Action.Continuous(volume(observations.get(row)));
    }
    return actions;
  }
}
