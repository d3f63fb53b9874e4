package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.TickReading;
import io.tranche.policy.encoder.TransformerEncoder;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;

/// A causal transformer over the ticks of the day, read at the current tick. Decisions and side are
/// handled as in [Recurrent], with one GRU.
///
/// No tick attends to a later one, so one run over a day serves every step of all its orders.
public final class CausalTransformer {

  private CausalTransformer() {}

  /// Returns a factory for such networks.
  ///
  /// @param dataWidth the number of features per tick
  public static <O extends Observation & DayObservation> Network.Factory<O> factory(
      TransformerConfig config, int dataWidth) {
    return new DayNetworkFactory<>(config, dataWidth);
  }

  static <O extends Observation & DayObservation> DayNetwork<O> create(
      Weights weights, String prefix, TransformerConfig config, int dataWidth) {
    int hidden = config.hidden();
    var ticks =
        new TransformerEncoder(
            weights,
            prefix + "raw_",
            dataWidth,
            hidden,
            config.ticks(),
            config.depth(),
            config.heads(),
            config.inner());
    var decisions = new Rnn(weights, prefix + "pri_rnn", RnnType.GRU, hidden, hidden, 1);
    return new DayNetwork<>(
        weights,
        new TickReading(ticks),
        new DecisionHead(weights, prefix, decisions, hidden, config.output()));
  }
}
