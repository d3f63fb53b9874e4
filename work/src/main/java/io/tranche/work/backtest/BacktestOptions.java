package io.tranche.work.backtest;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What whoever runs a backtest says besides its configuration.
///
/// @param apart whether each order is run alone. Qlib: `--use_simulator`
/// @param threads null for what the configuration says. Qlib: `--n_jobs`
/// @param skipsBad whether rows of the order file that break a rule are left out instead of ending
///   everything
/// @param logs whether every fill and every step of every level is written too
/// @param folder where results are put; null for what the configuration says
/// @param restarts whether results of an interrupted run are thrown away
public record BacktestOptions(
    boolean apart,
    @Nullable Integer threads,
    boolean skipsBad,
    boolean logs,
    @Nullable Path folder,
    boolean restarts) {

  public static final BacktestOptions DEFAULT =
      new BacktestOptions(false, null, false, false, null, false);

  public BacktestOptions withApart(boolean alone) {
    return new BacktestOptions(alone, threads, skipsBad, logs, folder, restarts);
  }

  public BacktestOptions withThreads(@Nullable Integer count) {
    return new BacktestOptions(apart, count, skipsBad, logs, folder, restarts);
  }

  public BacktestOptions withLogs(boolean wanted) {
    return new BacktestOptions(apart, threads, skipsBad, wanted, folder, restarts);
  }

  public BacktestOptions skippingBad(boolean skips) {
    return new BacktestOptions(apart, threads, skips, logs, folder, restarts);
  }

  public BacktestOptions in(@Nullable Path target) {
    return new BacktestOptions(apart, threads, skipsBad, logs, target, restarts);
  }
}
