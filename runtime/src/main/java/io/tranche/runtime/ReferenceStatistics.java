package io.tranche.runtime;

import java.util.List;

/// What a model saw and did on orders that it was not trained on. A monitor compares live days with
/// it.
///
/// @param orders the number of orders it worked
/// @param decisions the number of decisions it took
/// @param features one per column of today, in their order, before any mirroring
/// @param actions the share of each choice; the sum is 1
public record ReferenceStatistics(
    long orders, long decisions, List<Feature> features, List<Double> actions) {

  /// @param name the column
  /// @param deviation the standard deviation
  public record Feature(String name, double mean, double deviation) {

    public Feature {
      if (!Double.isFinite(mean) || !(deviation >= 0) || Double.isInfinite(deviation)) {
        throw new IllegalArgumentException(
            "mean and deviation must be finite, deviation not negative, was %s and %s"
                .formatted(mean, deviation));
      }
    }
  }

  public ReferenceStatistics {
    features = List.copyOf(features);
    actions = List.copyOf(actions);
    if (orders < 0 || decisions < 0) {
      throw new IllegalArgumentException(
          "orders and decisions must not be negative, was %d and %d".formatted(orders, decisions));
    }
    for (double share : actions) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("actions must be shares in [0, 1], was " + actions);
      }
    }
  }
}
