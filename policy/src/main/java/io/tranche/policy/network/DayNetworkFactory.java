package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.tensor.Weights;

/// Makes one of our networks over the day, and says which.
///
/// @param dataWidth how many features a tick has
public record DayNetworkFactory(DayNetworkConfig config, int dataWidth)
    implements Network.Factory<FullHistoryObservation> {

  @Override
  public DayNetwork create(Weights weights, String prefix) {
    return switch (config) {
      case RecurrentConfig recurrent -> Recurrent.create(weights, prefix, recurrent, dataWidth);
      case DualAttentionConfig dual -> DualAttention.create(weights, prefix, dual, dataWidth);
      case TransformerConfig transformer ->
          CausalTransformer.create(weights, prefix, transformer, dataWidth);
    };
  }
}
