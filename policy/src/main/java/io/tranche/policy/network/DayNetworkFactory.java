package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.tensor.Weights;

/// Makes a built-in network over the day and knows its settings.
///
/// @param dataWidth the number of features per tick
public record DayNetworkFactory<O extends Observation & DayObservation>(
    DayNetworkConfig config, int dataWidth) implements Network.Factory<O> {

  @Override
  public DayNetwork<O> create(Weights weights, String prefix) {
    return switch (config) {
      case RecurrentConfig recurrent -> Recurrent.create(weights, prefix, recurrent, dataWidth);
      case DualAttentionConfig dual -> DualAttention.create(weights, prefix, dual, dataWidth);
      case TransformerConfig transformer ->
          CausalTransformer.create(weights, prefix, transformer, dataWidth);
      case LayersConfig layers -> LayersNetwork.create(weights, prefix, layers, dataWidth);
    };
  }
}
