package io.tranche.trainer.callback;

import org.jspecify.annotations.Nullable;

/// Settings of [EarlyStopping].
///
/// @param monitor the metric that is compared, such as `val/reward`
/// @param minDelta by how much a value must be better to count; its sign does not matter
/// @param patience how many validations in a row may be no better
/// @param baseline patience only starts anew with values that are better than this too; null for
///   none
/// @param restoresBest whether the weights of the best validation are restored at the stop
/// @param stopsWhileImproving whether patience counts at the validation that improves too, as in
///   Qlib, where a patience of 0 always stops at the second validation (Q19)
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
