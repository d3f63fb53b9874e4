package io.tranche.policy.network;

import io.tranche.env.space.Space;

/// What the observations of a problem show to a network.
public sealed interface NetworkInput {

  /// A day of features and the progress of an order: observations are
  /// [io.tranche.market.feature.DayObservation]s.
  ///
  /// @param features the number of features per tick
  record Day(int features) implements NetworkInput {}

  /// Only the progress of an order: observations are
  /// [io.tranche.market.feature.ProgressObservation]s.
  record Progress() implements NetworkInput {}

  /// Something else, which is known by its space alone.
  record Values(Space space) implements NetworkInput {}

  /// Returns what a model shows whose recipe has this many features per tick; one without features
  /// shows the progress alone.
  static NetworkInput ofFeatures(int features) {
    return features == 0 ? new Progress() : new Day(features);
  }
}
