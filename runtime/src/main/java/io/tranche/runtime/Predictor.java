package io.tranche.runtime;

import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.policy.agent.Scores;
import java.util.List;

/// Decides on whole observations, such as Qlib's dictionaries or those of simulators, without a
/// live day. Its choices equal those of a [DecisionRuntime] at the same moment.
///
/// For one thread; any number of predictors can share a [LoadedModel].
public final class Predictor implements Policy<FullHistoryObservation> {

  private final ModelSpec spec;
  private final List<Scores<FullHistoryObservation>> members;
  private final LiveActions actions;
  private final Ballot ballot;
  private final float[] averages;
  private final float[][] scores;
  private final int maxRows;

  Predictor(
      ModelSpec spec,
      LiveActions actions,
      List<Scores<FullHistoryObservation>> members,
      int maxRows) {
    this.spec = spec;
    this.actions = actions;
    this.averages = new float[Math.multiplyExact(actions.numbers(), maxRows)];
    this.members = members;
    this.ballot = new Ballot(spec.combination(), members.getFirst().choices());
    this.scores = new float[members.size()][];
    this.maxRows = maxRows;
  }

  /// Returns the maximal number of observations per call.
  public int maxRows() {
    return maxRows;
  }

  /// Returns the number of scores of an observation: one per choice, or the numbers of an action.
  public int choices() {
    return members.getFirst().choices();
  }

  /// Refuses an observation that the model cannot read.
  ///
  /// @throws DataException naming the part that does not fit
  public void require(FullHistoryObservation observation) {
    var features = observation.features();
    if (spec.features().columns().today().isEmpty()) {
      require("columns", 0, features.columns().today().size());
    } else if (spec.isQlib()) {
      require("ticks", spec.ticks(), features.ticks());
    } else if (features.ticks() < 1 || features.ticks() > spec.ticks()) {
      throw new DataException("observation.ticks", "1 to " + spec.ticks(), features.ticks());
    }
    require("columns", spec.features().columns().today().size(), features.columns().today().size());
    require("num_step", spec.maxSteps(), observation.maxSteps());
  }

  private static void require(String what, int expected, int was) {
    if (was != expected) {
      throw new DataException("observation." + what, Integer.toString(expected), was);
    }
  }

  /// Evaluates observations together.
  ///
  /// @throws DataException as [#require]
  /// @throws IllegalArgumentException if there are more than [#maxRows]
  public void evaluate(List<FullHistoryObservation> observations) {
    if (observations.size() > maxRows) {
      throw new IllegalArgumentException(
          "observations must be at most %d, was %d".formatted(maxRows, observations.size()));
    }
    observations.forEach(this::require);
    for (int i = 0; i < scores.length; i++) {
      scores[i] = members.get(i).of(observations);
    }
    if (actions.numbers() > 0) {
      Ballot.average(scores, observations.size() * actions.numbers(), averages);
    }
  }

  /// Takes the best choice, whatever the mode.
  ///
  /// @throws DataException as [#require]
  @Override
  public Action[] act(List<FullHistoryObservation> observations, long[] drawKeys, Mode mode) {
    var taken = new Action[observations.size()];
    for (int from = 0; from < taken.length; from += maxRows) {
      int to = Math.min(taken.length, from + maxRows);
      evaluate(observations.subList(from, to));
      for (int i = from; i < to; i++) {
        int row = i - from;
        taken[i] = actions.action(choice(row), averages, row * actions.numbers());
      }
    }
    return taken;
  }

  /// Returns the choice for an observation of the last [#evaluate]; -1 if actions are numbers,
  /// which [#score] returns.
  public int choice(int row) {
    return actions.numbers() > 0 ? LiveActions.NONE : ballot.choose(scores, row);
  }

  /// Returns the score of a choice, averaged over all members: a probability or a value, depending
  /// on the policy; or a number of a continuous action.
  public float score(int row, int choice) {
    float sum = 0;
    for (float[] each : scores) {
      sum += each[row * choices() + choice];
    }
    return sum / scores.length;
  }
}
