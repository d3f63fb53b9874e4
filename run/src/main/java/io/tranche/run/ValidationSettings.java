package io.tranche.run;

import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import org.jspecify.annotations.Nullable;

/// How a run validates.
///
/// @param every how many iterations lie between two validations; null for none
/// @param monitor the metric by which validations are compared; null for the usual one
///   ([ExecutionRun#monitor])
/// @param better whether higher or lower values of that metric are better
/// @param stopping when training ends early; null for never
/// @param keepBest how many of the best checkpoints are kept besides the others
/// @param judges whether each validation also compares the policy with TWAP and constant actions
/// @param guard whether the run fits a [io.tranche.execution.DeviationGuard] when training ends;
///   null for real bars only ([ExecutionRun#guards])
public record ValidationSettings(
    @Nullable Integer every,
    @Nullable String monitor,
    Better better,
    @Nullable Stopping stopping,
    int keepBest,
    boolean judges,
    @Nullable Boolean guard) {

  /// When training ends early.
  ///
  /// @param patience how many validations in a row may be no better
  /// @param minDelta by how much a better validation has to be better
  /// @param baseline only values that are also better than this count; null for none
  /// @param restoresBest whether the weights of the best validation are taken back at the end
  public record Stopping(
      int patience, double minDelta, @Nullable Double baseline, boolean restoresBest) {

    public static Stopping after(int patience) {
      return new Stopping(patience, 0, null, false);
    }
  }

  /// The price advantage in validation, Qlib's name for it.
  public static final String ADVANTAGE = "val/pa";

  /// The same after fees and taxes.
  static final String NET_ADVANTAGE = "val/net_pa";

  public static final ValidationSettings DEFAULT =
      new ValidationSettings(4, null, Better.HIGHER, null, 1, true, null);

  /// @param iterations null for no validation
  public ValidationSettings withEvery(@Nullable Integer iterations) {
    return new ValidationSettings(iterations, monitor, better, stopping, keepBest, judges, guard);
  }

  /// @param fits null for real bars only
  public ValidationSettings withGuard(@Nullable Boolean fits) {
    return new ValidationSettings(every, monitor, better, stopping, keepBest, judges, fits);
  }

  /// @param validations null for no early stopping
  public ValidationSettings withPatience(@Nullable Integer validations) {
    return new ValidationSettings(
        every,
        monitor,
        better,
        validations == null ? null : Stopping.after(validations),
        keepBest,
        judges,
        guard);
  }

  /// Returns the number of validations in a row that may be no better; null for no early stopping.
  public @Nullable Integer patience() {
    return stopping == null ? null : stopping.patience();
  }

  /// Returns the settings of early stopping, or null for none.
  @Nullable EarlyStoppingConfig earlyStopping(String metric, boolean isQlib) {
    return stopping == null
        ? null
        : new EarlyStoppingConfig(
            metric,
            stopping.minDelta(),
            stopping.patience(),
            better,
            stopping.baseline(),
            stopping.restoresBest(),
            isQlib);
  }
}
