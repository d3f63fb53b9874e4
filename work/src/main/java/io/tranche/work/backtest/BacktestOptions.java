package io.tranche.work.backtest;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Options of a backtest besides its configuration.
///
/// @param apart whether each order is run alone. Qlib: `--use_simulator`
/// @param threads null for the number in the configuration. Qlib: `--n_jobs`
/// @param skipsBad whether invalid rows of the order file are left out; otherwise they are an error
/// @param logs whether every fill and every step of every level is also written
/// @param folder for the results; null for the one in the configuration
/// @param restarts whether results of an interrupted run are discarded
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
