package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.policy.network.Model;
import java.util.List;

/// A policy on whole observations that gives its scores. Its likeliest, or best, choice is the one
/// that [io.tranche.env.Policy#act] makes when it does not draw.
///
/// For one thread, and for weights that do not change any more; any number of these share an
/// [Algorithm]. Hot path: allocates nothing of its own.
///
/// @param <O> the observation
public final class ScoredPolicy<O extends Observation> {

  private final Model<O>.Evaluation evaluation;
  private final int choices;
  private final LivePolicy.Scoring scoring;
  private final float[] scores;

  ScoredPolicy(Model<O> model, int choices, int maxRows, LivePolicy.Scoring scoring) {
    this.evaluation = model.newEvaluation(maxRows);
    this.choices = choices;
    this.scoring = scoring;
    this.scores = new float[Math.multiplyExact(maxRows, choices)];
  }

  /// Returns how many choices there are.
  public int choices() {
    return choices;
  }

  /// Returns the scores of each observation: [#choices] numbers each, the larger the better, valid
  /// until the next call. Probabilities, or values, as the policy has them.
  ///
  /// @param observations as many as come at once at most
  public float[] evaluate(List<O> observations) {
    evaluation.evaluate(observations);
    scoring.score(observations.size(), evaluation.output(0), scores);
    return scores;
  }
}
