package io.tranche.work.export;

import io.tranche.run.play.Difference;

/// Compares a model with another on the same orders.
///
/// @param decisions how many the other model took
/// @param equal in how many of these the model would have chosen the same
/// @param change the model's advantage minus the other's
public record ModelComparison(long decisions, long equal, Difference change) {

  /// Returns the share of equal choices.
  public double agreement() {
    return (double) equal / decisions;
  }
}
