package io.tranche.analysis.report;

/// Numbers that a report can show and a file can hold.
final class Known {

  private Known() {}

  static void require(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be finite, was " + value);
    }
  }

  /// NaN passes: it stands for "not known".
  static void requireNotInfinite(String name, double value) {
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be finite or NaN, was " + value);
    }
  }
}
