package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.List;
import java.util.function.Function;

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

  private final Function<List<O>, Rows> outputs;
  private final int choices;
  private final int maxRows;
  private final Scoring scoring;
  private final float[] scores;

  public Scores(Model<O> model, int choices, int maxRows, Scoring scoring) {
    this(outputs(model.newEvaluation(maxRows)), choices, maxRows, scoring);
  }

  /// @param outputs returns what `scoring` reads, one row for each observation
  public Scores(Function<List<O>, Rows> outputs, int choices, int maxRows, Scoring scoring) {
    this.outputs = outputs;
    this.choices = choices;
    this.maxRows = maxRows;
    this.scoring = scoring;
    this.scores = new float[Math.multiplyExact(maxRows, choices)];
  }

  private static <O extends Observation> Function<List<O>, Rows> outputs(
      Model<O>.Evaluation evaluation) {
    return observations -> {
      evaluation.evaluate(observations);
      return evaluation.output(0);
    };
  }

  public int choices() {
    return choices;
  }

  /// Returns the maximum number of observations in a batch.
  public int maxRows() {
    return maxRows;
  }

  /// Returns the scores of each observation: [#choices] numbers, valid until the next call.
  public float[] of(List<O> observations) {
    scoring.score(observations.size(), outputs.apply(observations), scores);
    return scores;
  }
}
