package io.tranche.policy.network;

import io.tranche.tensor.RnnType;

/// Settings of [DualAttention].
///
/// @param hidden how wide its layers are
/// @param output how many features it gives
/// @param type of its recurrent layers
/// @param depth how many recurrent layers lie on one another
public record DualAttentionConfig(int hidden, int output, RnnType type, int depth)
    implements DayNetworkConfig {

  /// As wide and deep as [RecurrentConfig#DEFAULT].
  public static final DualAttentionConfig DEFAULT = new DualAttentionConfig(64, 32, RnnType.GRU, 1);

  public DualAttentionConfig {
    if (hidden < 1 || output < 1 || depth < 1) {
      throw new IllegalArgumentException(
          "hidden, output and depth must be positive, was %d, %d and %d"
              .formatted(hidden, output, depth));
    }
  }
}
