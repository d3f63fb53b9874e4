package io.tranche.trainer.callback;

import org.jspecify.annotations.Nullable;

/// Settings of [EarlyStopping].
///
/// @param monitor the metric to compare, such as `val/reward`
/// @param minDelta the minimum improvement; its sign is ignored
/// @param patience number of consecutive validations without improvement that are allowed
/// @param baseline only values that are also better than this reset the patience; null for none
/// @param restoresBest whether stopping restores the weights of the best validation
/// @param stopsWhileImproving whether a validation that improves can stop the run too, as in Qlib,
///   where a patience of 0 always stops at the second validation (Q19)
public record EarlyStoppingConfig(
    String monitor,
    double minDelta,
    int patience,
    Better better,
    @Nullable Double baseline,
    boolean restoresBest,
    boolean stopsWhileImproving) {

  public EarlyStoppingConfig {
    minDelta = Math.abs(minDelta);
    if (!(minDelta < Double.POSITIVE_INFINITY) || patience < 0) {
      throw new IllegalArgumentException(
          "minDelta must be finite and patience not negative, was %s and %d"
              .formatted(minDelta, patience));
    }
  }

  /// Returns the simple case: any higher value is better.
  public static EarlyStoppingConfig of(String monitor, int patience) {
    return new EarlyStoppingConfig(monitor, 0, patience, Better.HIGHER, null, false, false);
  }
}
