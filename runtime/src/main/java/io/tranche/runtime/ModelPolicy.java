package io.tranche.runtime;

import io.tranche.env.Action;
import io.tranche.env.Policy;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.learn.Scores;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.List;

/// A [LoadedModel] that looks at whole observations, as simulators show them: to be tried before it
/// decides live, where it decides the same. For one thread.
public final class ModelPolicy implements Policy<FullHistoryObservation> {

  private final List<Scores<FullHistoryObservation>> members;
  private final Ballot ballot;
  private final int maxRows;

  ModelPolicy(List<Scores<FullHistoryObservation>> members, Combination combination, int maxRows) {
    this.members = members;
    this.ballot = new Ballot(combination, members.getFirst().choices());
    this.maxRows = maxRows;
  }

  /// Returns how many choices there are.
  public int choices() {
    return members.getFirst().choices();
  }

  /// Takes the best choice, whatever the mode.
  @Override
  public Action[] act(List<FullHistoryObservation> observations, long[] drawKeys, Mode mode) {
    var actions = new Action[observations.size()];
    for (int from = 0; from < actions.length; from += maxRows) {
      int to = Math.min(actions.length, from + maxRows);
      float[][] scores = scores(observations.subList(from, to));
      for (int i = from; i < to; i++) {
        actions[i] = new Action.Discrete(ballot.choose(scores, i - from));
      }
    }
    return actions;
  }

  /// Returns what each member chooses by: a row an observation, one number a choice, valid until
  /// the next call.
  ///
  /// @param observations as many as were asked for at most
  public float[][] scores(List<FullHistoryObservation> observations) {
    float[][] scores = new float[members.size()][];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = members.get(i).of(observations);
    }
    return scores;
  }
}
