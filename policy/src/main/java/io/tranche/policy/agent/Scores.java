package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.List;

/// The scores by which a policy chooses, for whole observations; [LivePolicy#evaluate] returns the
/// same for live days. For one thread.
public final class Scores<O extends Observation> {

  /// Turns a model's outputs into scores, either probabilities or values. The choice is the first
  /// of the largest.
  @FunctionalInterface
  public interface Scoring {

    /// @param scores receives, for each row of `outputs`, one number per choice
    void score(int count, Rows outputs, float[] scores);
  }

  private final Model<O>.Evaluation evaluation;
  private final int choices;
  private final Scoring scoring;
  private final float[] scores;

  public Scores(Model<O> model, int choices, int maxRows, Scoring scoring) {
    this.evaluation = model.newEvaluation(maxRows);
    this.choices = choices;
    this.scoring = scoring;
    this.scores = new float[Math.multiplyExact(maxRows, choices)];
  }

  public int choices() {
    return choices;
  }

  /// Returns the maximum number of observations in a batch.
  public int maxRows() {
    return evaluation.maxRows();
  }

  /// Returns the scores of each observation: [#choices] numbers, valid until the next call.
  public float[] of(List<O> observations) {
    evaluation.evaluate(observations);
    scoring.score(observations.size(), evaluation.output(0), scores);
    return scores;
  }
}
