package io.tranche.policy.network;

import io.tranche.tensor.Rnn;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;

/// Settings of [Recurrent].
///
/// @param hidden how wide its layers are
/// @param output how many features it gives
/// @param type of its recurrent layers
/// @param depth how many recurrent layers lie on one another
public record RecurrentConfig(int hidden, int output, RnnType type, int depth)
    implements DayNetworkConfig {

  /// Qlib's defaults.
  public static final RecurrentConfig DEFAULT = new RecurrentConfig(64, 32, RnnType.GRU, 1);

  public RecurrentConfig {
    if (hidden < 1 || output < 1 || depth < 1) {
      throw new IllegalArgumentException(
          "hidden, output and depth must be positive, was %d, %d and %d"
              .formatted(hidden, output, depth));
    }
  }

  Rnn rnn(Weights weights, String name) {
    return new Rnn(weights, name, type, hidden, hidden, depth);
  }
}
