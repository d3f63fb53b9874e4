package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.DualAttentionEncoder;
import io.tranche.policy.encoder.SequenceEncoder;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Weights;

/// One recurrent network over today's ticks, another over yesterday's, and two attentions per
/// decision: over the first network's outputs up to the current tick, and over all outputs of the
/// second. The query is the first network's output at the current tick. Decisions and side as in
/// [Recurrent].
///
/// Both networks look only backward and no query attends to a later tick than its own, so one run
/// over a day serves every step of all its orders; only the queries are computed per decision.
public final class DualAttention {

  private DualAttention() {}

  /// Returns a factory for such networks.
  ///
  /// @param dataWidth the number of features per tick, the same for today and yesterday
  public static <O extends Observation & DayObservation> Network.Factory<O> factory(
      DualAttentionConfig config, int dataWidth) {
    return new DayNetworkFactory<>(config, dataWidth);
  }

  static <O extends Observation & DayObservation> DayNetwork<O> create(
      Weights weights, String prefix, DualAttentionConfig config, int dataWidth) {
    int hidden = config.hidden();
    var day =
        new DualAttentionEncoder(
            sequence(weights, prefix + "raw_", config, dataWidth),
            sequence(weights, prefix + "prev_", config, dataWidth),
            Attention.scaled(weights, prefix + "raw_attention.", hidden, hidden, 1),
            Attention.scaled(weights, prefix + "prev_attention.", hidden, hidden, 1));
    Rnn decisions = rnn(weights, prefix + "pri_", config);
    return new DayNetwork<>(
        weights, day, new DecisionHead(weights, prefix, decisions, day.width(), config.output()));
  }

  private static SequenceEncoder sequence(
      Weights weights, String prefix, DualAttentionConfig config, int dataWidth) {
    return new SequenceEncoder(
        Linear.withRelu(weights, prefix + "fc.0", dataWidth, config.hidden()),
        rnn(weights, prefix, config));
  }

  private static Rnn rnn(Weights weights, String prefix, DualAttentionConfig config) {
    int hidden = config.hidden();
    return new Rnn(weights, prefix + "rnn", config.type(), hidden, hidden, config.depth());
  }
}
