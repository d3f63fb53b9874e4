package io.tranche.policy.network;

import io.tranche.tensor.Rnn;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;

/// Settings of [Recurrent].
///
/// @param hidden width of its layers
/// @param output number of features
/// @param type type of its recurrent layers
/// @param depth number of stacked recurrent layers
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

  public RecurrentConfig withHidden(int other) {
    return new RecurrentConfig(other, output, type, depth);
  }

  public RecurrentConfig withOutput(int other) {
    return new RecurrentConfig(hidden, other, type, depth);
  }

  public RecurrentConfig withType(RnnType other) {
    return new RecurrentConfig(hidden, output, other, depth);
  }

  public RecurrentConfig withDepth(int other) {
    return new RecurrentConfig(hidden, output, type, other);
  }
}
