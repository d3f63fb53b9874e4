package io.tranche.policy.network;

import io.tranche.tensor.RnnType;

/// Settings of [DualAttention].
///
/// @param hidden width of its layers
/// @param output number of features
/// @param type type of its recurrent layers
/// @param depth number of stacked recurrent layers
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

  public DualAttentionConfig withHidden(int other) {
    return new DualAttentionConfig(other, output, type, depth);
  }

  public DualAttentionConfig withOutput(int other) {
    return new DualAttentionConfig(hidden, other, type, depth);
  }

  public DualAttentionConfig withType(RnnType other) {
    return new DualAttentionConfig(hidden, output, other, depth);
  }

  public DualAttentionConfig withDepth(int other) {
    return new DualAttentionConfig(hidden, output, type, other);
  }
}
