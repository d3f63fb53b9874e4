package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.LayersEncoder;
import io.tranche.policy.encoder.TickReading;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;

/// Layers of the user's choice over the ticks of the day, read at the current tick. Decisions and
/// side are handled as in [Recurrent], with one GRU.
///
/// No layer looks ahead, so one run over a day serves every step of all its orders.
public final class LayersNetwork {

  private LayersNetwork() {}

  /// Returns a factory for such networks.
  ///
  /// @param dataWidth the number of features per tick
  public static <O extends Observation & DayObservation> Network.Factory<O> factory(
      LayersConfig config, int dataWidth) {
    return new DayNetworkFactory<>(config, dataWidth);
  }

  static <O extends Observation & DayObservation> DayNetwork<O> create(
      Weights weights, String prefix, LayersConfig config, int dataWidth) {
    var day =
        new LayersEncoder(config.sequence().create(weights, prefix + "day", dataWidth), dataWidth);
    int hidden = config.hidden();
    var decisions = new Rnn(weights, prefix + "pri_rnn", RnnType.GRU, hidden, hidden, 1);
    return new DayNetwork<>(
        weights,
        new TickReading(day),
        new DecisionHead(weights, prefix, decisions, day.outputs(), config.output()));
  }
}
