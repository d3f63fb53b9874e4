package io.tranche.policy.agent;

import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.network.Model;

/// A policy on days and orders that are under way. Its likeliest, or best, choice is the one that
/// [io.tranche.env.Policy#act] makes of the same day at the same tick when it does not draw.
///
/// For one thread, and for weights that do not change any more; any number of these share an
/// [Algorithm]. Hot path: allocates only when days and episodes begin.
public final class LivePolicy {

  private final Model<?>.Live model;
  private final int choices;
  private final int maxRows;
  private final Scores.Scoring scoring;
  private final float[] scores;

  public LivePolicy(Model<?> model, int choices, int maxRows, Scores.Scoring scoring) {
    this.model = model.newLive(maxRows);
    this.choices = choices;
    this.maxRows = maxRows;
    this.scoring = scoring;
    this.scores = new float[Math.multiplyExact(maxRows, choices)];
  }

  public int choices() {
    return choices;
  }

  /// Returns how many decisions may be taken at once.
  public int maxRows() {
    return maxRows;
  }

  /// Begins a day; see [LiveNetwork#newDay].
  public LiveNetwork.Day newDay(float[] yesterday, int ticks) {
    return model.network().newDay(yesterday, ticks);
  }

  /// Begins an order; see [LiveNetwork#newEpisode].
  public LiveNetwork.Episode newEpisode(int side) {
    return model.network().newEpisode(side);
  }

  /// Puts the next decision of an order into row `row`; see [LiveNetwork#put].
  public void put(
      int row, LiveNetwork.Day day, LiveNetwork.Episode episode, float remaining, float progress) {
    model.network().put(row, day, episode, remaining, progress);
  }

  /// Returns the scores of the first `count` rows, which were put: [#choices] numbers each, the
  /// larger the better, valid until the next call. Probabilities, or values, as the policy has
  /// them; the first of the largest is its choice. Every order moves on by one decision.
  public float[] evaluate(int count) {
    scoring.score(count, model.evaluate(count), scores);
    return scores;
  }
}
