package io.tranche.policy.agent;

import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.function.IntFunction;

/// A policy on live days and orders. Its best choice equals that of [io.tranche.env.Policy#act]
/// without sampling, for the same day and tick.
///
/// For one thread, and for weights that no longer change; any number of instances may share an
/// [Agent]. Hot path: allocates only when days and episodes begin.
public final class LivePolicy {

  private final LiveNetwork network;
  private final IntFunction<Rows> outputs;
  private final int choices;
  private final int maxRows;
  private final Scores.Scoring scoring;
  private final float[] scores;

  public LivePolicy(Model<?> model, int choices, int maxRows, Scores.Scoring scoring) {
    this(model.newLive(maxRows), choices, maxRows, scoring);
  }

  private LivePolicy(Model<?>.Live model, int choices, int maxRows, Scores.Scoring scoring) {
    this(model.network(), model::evaluate, choices, maxRows, scoring);
  }

  /// @param outputs advances the first rows that were put into `network`, and returns what
  ///   `scoring` reads
  public LivePolicy(
      LiveNetwork network,
      IntFunction<Rows> outputs,
      int choices,
      int maxRows,
      Scores.Scoring scoring) {
    this.network = network;
    this.outputs = outputs;
    this.choices = choices;
    this.maxRows = maxRows;
    this.scoring = scoring;
    this.scores = new float[Math.multiplyExact(maxRows, choices)];
  }

  public int choices() {
    return choices;
  }

  /// Returns the maximum number of decisions in a batch.
  public int maxRows() {
    return maxRows;
  }

  /// Begins a day; see [LiveNetwork#newDay].
  public LiveNetwork.Day newDay(float[] yesterday, int ticks) {
    return network.newDay(yesterday, ticks);
  }

  /// Begins an order; see [LiveNetwork#newEpisode].
  public LiveNetwork.Episode newEpisode(int side) {
    return network.newEpisode(side);
  }

  /// Puts the next decision of an order into row `row`; see [LiveNetwork#put].
  public void put(
      int row, LiveNetwork.Day day, LiveNetwork.Episode episode, float remaining, float progress) {
    network.put(row, day, episode, remaining, progress);
  }

  /// Returns the scores of the first `count` rows, filled by [#put]: [#choices] numbers each, valid
  /// until the next call. Scores are probabilities or values; the choice is the first of the
  /// largest. Advances every order by one decision.
  public float[] evaluate(int count) {
    scoring.score(count, outputs.apply(count), scores);
    return scores;
  }
}
