package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.DualAttentionEncoder;
import io.tranche.policy.encoder.SequenceEncoder;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Weights;

/// A recurrent network over the ticks of today and one over those of yesterday, and for each
/// decision two attentions: over what the first gave up to the current tick, and over all that the
/// second gave. What the first gives at the current tick asks. Decisions and side as in
/// [Recurrent].
///
/// Both networks look only back and no query sees a later tick than its own, so one run over a day
/// serves every step of every order on it; only the queries are computed for each.
public final class DualAttention {

  private DualAttention() {}

  /// Returns how to make such networks.
  ///
  /// @param dataWidth the number of features per tick, today and yesterday
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
