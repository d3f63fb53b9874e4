package io.tranche.policy.dqn;

import io.tranche.env.Observation;
import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.experience.Returns;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// The targets of the values of the actions taken: the rewards of the next steps plus the expected
/// return after them. Hot path: allocates only to grow.
public final class DqnTargets<O extends Observation> {

  private final DqnConfig config;
  private final ActionValues values;
  private final int quantiles;
  private final SlicedModel<O> learner;
  private final SlicedModel<O> estimator;
  private final boolean learnerChooses;
  private final SlicedModel.Visitor<O> choose = (slice, pass, _) -> read(slice, pass, true, false);
  private final SlicedModel.Visitor<O> estimate =
      (slice, pass, _) -> read(slice, pass, false, true);
  private final SlicedModel.Visitor<O> both = (slice, pass, _) -> read(slice, pass, true, true);
  private Transitions<O> steps = new Transitions<>();

  /// The distinct rows whose `next` is evaluated, and when each was last added.
  private int[] ahead = new int[0];

  private int[] seen = new int[0];
  private int round;

  /// By row: the next action, and that action's quantiles.
  private int[] chosen = new int[0];

  private float[] expected = new float[0];
  private float[] targets = new float[0];

  /// @param learner chooses the action, if it is not the estimator and the configuration says so
  DqnTargets(
      DqnConfig config, ActionValues values, SlicedModel<O> learner, SlicedModel<O> estimator) {
    this.config = config;
    this.values = values;
    this.quantiles = values.quantiles();
    this.learner = learner;
    this.estimator = estimator;
    this.learnerChooses = config.doubles() && learner != estimator;
  }

  /// Starts on `experience`.
  void begin(Transitions<O> experience) {
    steps = experience;
    int size = experience.size();
    if (size > ahead.length) {
      ahead = new int[size];
      seen = new int[size];
      chosen = new int[size];
      expected = new float[Math.multiplyExact(size, quantiles)];
      targets = new float[Math.multiplyExact(size, quantiles)];
    }
    Arrays.fill(seen, 0);
    round = 0;
    learner.index(experience);
    if (learner != estimator) {
      estimator.index(experience);
    }
  }

  /// Computes the targets of `rows[from]` to `rows[to - 1]` with the current weights.
  void compute(int[] rows, int from, int to) {
    lookAhead(rows, from, to);
    for (int i = from; i < to; i++) {
      int row = rows[i];
      int last = Returns.lastOfNStep(steps, row, config.steps());
      boolean over = steps.isTerminated(last);
      for (int j = 0; j < quantiles; j++) {
        float rest = over ? 0 : expected[last * quantiles + j];
        targets[row * quantiles + j] =
            (float) Returns.nStep(steps, row, config.steps(), config.discount(), rest);
      }
    }
  }

  private void lookAhead(int[] rows, int from, int to) {
    round++;
    int count = 0;
    for (int i = from; i < to; i++) {
      int last = Returns.lastOfNStep(steps, rows[i], config.steps());
      if (!steps.isTerminated(last) && seen[last] != round) {
        seen[last] = round;
        ahead[count++] = last;
      }
    }
    if (count == 0) {
      return;
    }
    if (learnerChooses) {
      learner.evaluate(steps, ahead, count, true, choose);
      estimator.evaluate(steps, ahead, count, true, estimate);
    } else {
      estimator.evaluate(steps, ahead, count, true, both);
    }
  }

  private void read(Slice<O> slice, Model<O>.Pass pass, boolean chooses, boolean estimates) {
    Rows outputs = pass.output(0);
    values.read(slice.size(), outputs);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      int at = outputs.offset(i);
      if (chooses) {
        chosen[row] = values.best(outputs.data(), at);
      }
      if (estimates) {
        int from = at + chosen[row] * quantiles;
        System.arraycopy(outputs.data(), from, expected, row * quantiles, quantiles);
      }
    }
  }

  int action(int row) {
    return steps.choice(row);
  }

  /// Returns the last computed target for a quantile of the step's action: a sample of the
  /// estimated return distribution, not the quantile itself.
  public float target(int row, int quantile) {
    return targets[row * quantiles + quantile];
  }
}
