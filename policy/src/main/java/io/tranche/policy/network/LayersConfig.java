package io.tranche.policy.network;

import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.List;

/// Settings of [LayersNetwork].
///
/// @param layers over the ticks of the day, one after the other
/// @param hidden width of the layers for the order: those over its decisions and its side
/// @param output number of features
public record LayersConfig(List<Layer.Factory> layers, int hidden, int output)
    implements DayNetworkConfig {

  public LayersConfig {
    layers = List.copyOf(layers);
    if (layers.isEmpty()) {
      throw new IllegalArgumentException("layers must be at least one, was none");
    }
    if (hidden < 1 || output < 1) {
      throw new IllegalArgumentException(
          "hidden and output must be positive, was %d and %d".formatted(hidden, output));
    }
  }

  /// Returns these layers with the widths of [RecurrentConfig#DEFAULT] for the order.
  public static LayersConfig of(Layer.Factory... layers) {
    return new LayersConfig(
        List.of(layers), RecurrentConfig.DEFAULT.hidden(), RecurrentConfig.DEFAULT.output());
  }

  public LayersConfig withHidden(int other) {
    return new LayersConfig(layers, other, output);
  }

  public LayersConfig withOutput(int other) {
    return new LayersConfig(layers, hidden, other);
  }

  /// Returns all layers as one.
  Layers.Sequence sequence() {
    return new Layers.Sequence(layers);
  }
}
