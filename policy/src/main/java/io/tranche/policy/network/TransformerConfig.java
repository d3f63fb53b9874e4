package io.tranche.policy.network;

/// Settings of [CausalTransformer].
///
/// @param hidden width of its layers
/// @param output number of features
/// @param heads number of attention heads; must divide `hidden`
/// @param depth number of stacked blocks
/// @param inner width of the layer inside a block
/// @param ticks maximum number of ticks in a day
public record TransformerConfig(int hidden, int output, int heads, int depth, int inner, int ticks)
    implements DayNetworkConfig {

  /// As wide as [RecurrentConfig#DEFAULT], for the 240 minutes of a Chinese trading day.
  public static final TransformerConfig DEFAULT = new TransformerConfig(64, 32, 4, 2, 128, 240);

  public TransformerConfig {
    if (hidden < 1 || output < 1 || depth < 1 || inner < 1 || ticks < 1) {
      throw new IllegalArgumentException(
          "hidden, output, depth, inner and ticks must be positive, was %d, %d, %d, %d and %d"
              .formatted(hidden, output, depth, inner, ticks));
    }
    if (heads < 1 || hidden % heads != 0) {
      throw new IllegalArgumentException(
          "heads must divide hidden, which is %d, was %d".formatted(hidden, heads));
    }
  }

  public TransformerConfig withHidden(int other) {
    return new TransformerConfig(other, output, heads, depth, inner, ticks);
  }

  public TransformerConfig withOutput(int other) {
    return new TransformerConfig(hidden, other, heads, depth, inner, ticks);
  }

  public TransformerConfig withHeads(int other) {
    return new TransformerConfig(hidden, output, other, depth, inner, ticks);
  }

  public TransformerConfig withDepth(int other) {
    return new TransformerConfig(hidden, output, heads, other, inner, ticks);
  }

  public TransformerConfig withInner(int other) {
    return new TransformerConfig(hidden, output, heads, depth, other, ticks);
  }

  public TransformerConfig withTicks(int other) {
    return new TransformerConfig(hidden, output, heads, depth, inner, other);
  }
}
