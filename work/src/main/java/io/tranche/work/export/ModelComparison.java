package io.tranche.work.export;

import io.tranche.analysis.Difference;

/// How a model compares with another on the same orders.
///
/// @param decisions how many the other took, on its own way through the orders
/// @param equal in how many of them the model would have chosen the same
/// @param change by how much the model's advantage is larger
public record ModelComparison(long decisions, long equal, Difference change) {

  /// Returns the share of equal choices.
  public double agreement() {
    return (double) equal / decisions;
  }
}
