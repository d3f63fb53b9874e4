package io.tranche.analysis.report;

/// Checks numbers that a report shows and a file holds.
final class Known {

  private Known() {}

  static void require(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be finite, was " + value);
    }
  }

  /// Allows NaN, which stands for "not known".
  static void requireNotInfinite(String name, double value) {
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be finite or NaN, was " + value);
    }
  }
}
