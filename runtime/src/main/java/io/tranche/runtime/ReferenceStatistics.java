package io.tranche.runtime;

import java.util.List;

/// What a model saw and did on orders that it was not trained on: what a monitor holds live days
/// against.
///
/// @param orders how many orders it worked
/// @param decisions how many decisions it took
/// @param features of each column of today, in their order, before any mirroring
/// @param actions how often each choice was taken, of 1 in all
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
        throw new IllegalArgumentException("actions must be parts of 1, was " + actions);
      }
    }
  }
}
