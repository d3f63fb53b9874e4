package io.tranche.trainer.callback;

/// Whether a higher or a lower metric is better. Qlib: `mode`.
public enum Better {
  HIGHER,
  LOWER;

  /// Whether `value` is better than `than` by more than `margin`; NaN is never better.
  boolean isBetter(double value, double than, double margin) {
    return switch (this) {
      case HIGHER -> value - margin > than;
      case LOWER -> value + margin < than;
    };
  }

  /// Returns the value that is worse than all others.
  double worst() {
    return this == HIGHER ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }
}
