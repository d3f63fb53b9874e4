package io.tranche.run;

import org.jspecify.annotations.Nullable;

/// How a run validates.
///
/// @param every how many iterations lie between two validations; null for none
/// @param monitor the metric by which validations are compared; null for the advantage, after fees
///   where there are any ([ExecutionRun#monitor])
/// @param patience how many validations in a row may be no better before training stops; null for
///   no early stopping
/// @param keepBest how many of the best checkpoints are kept besides the others
/// @param judges whether each validation also compares the policy with TWAP and constant actions
/// @param guard whether the run fits a [io.tranche.execution.DeviationGuard] when training ends; null
///   for real bars only ([ExecutionRun#guards])
public record ValidationSettings(
    @Nullable Integer every,
    @Nullable String monitor,
    @Nullable Integer patience,
    int keepBest,
    boolean judges,
    @Nullable Boolean guard) {

  /// The price advantage in validation, Qlib's name for it.
  public static final String ADVANTAGE = "val/pa";

  /// The same after fees and taxes.
  static final String NET_ADVANTAGE = "val/net_pa";

  public static final ValidationSettings DEFAULT = 
      new ValidationSettings(4, null, null, 1, true, null);

  /// @param iterations null for no validation
  public ValidationSettings withEvery(@Nullable Integer iterations) {
    return new ValidationSettings(iterations, monitor, patience, keepBest, judges, guard);
  }

  /// @param fits null for real bars only
  public ValidationSettings withGuard(@Nullable Boolean fits) {
    return new ValidationSettings(every, monitor, patience, keepBest, judges, fits);
  }

  /// @param validations null for no early stopping
  public ValidationSettings withPatience(@Nullable Integer validations) {
    return new ValidationSettings(every, monitor, validations, keepBest, judges, guard);
  }
}
