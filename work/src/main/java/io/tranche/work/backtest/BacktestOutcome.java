package io.tranche.work.backtest;

import io.tranche.backtest.run.ResultRow;
import io.tranche.backtest.run.ResultSummary;
import java.nio.file.Path;
import java.util.List;

/// The outcome of a backtest.
///
/// @param rows one per instrument and day, sorted by both; empty if it was stopped
/// @param failed how many orders failed, including invalid rows; `failed_orders.csv` lists them
/// @param isComplete false if it was asked to stop; then only finished groups are saved, and the
///   next run continues from them
/// @param result the path of `backtest_result.csv`
public record BacktestOutcome(
    List<ResultRow> rows, int instruments, int failed, boolean isComplete, Path result) {

  public BacktestOutcome {
    rows = List.copyOf(rows);
  }

  /// Returns the summary of the orders that were run.
  public ResultSummary summary() {
    return ResultSummary.of(rows);
  }
}
