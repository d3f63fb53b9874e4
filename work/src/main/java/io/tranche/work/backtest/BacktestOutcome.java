package io.tranche.work.backtest;

import io.tranche.backtest.run.ResultRow;
import io.tranche.backtest.run.ResultSummary;
import java.nio.file.Path;
import java.util.List;

/// How a backtest went.
///
/// @param rows one an instrument and day, by both; none if it was stopped
/// @param failed how many orders were left out, bad rows included; they are in `failed_orders.csv`
/// @param isComplete false if it was asked to stop; then nothing but the results of finished
///   instruments is there, and the next run goes on from them
/// @param result where `backtest_result.csv` is
public record BacktestOutcome(
    List<ResultRow> rows, int instruments, int failed, boolean isComplete, Path result) {

  public BacktestOutcome {
    rows = List.copyOf(rows);
  }

  /// Returns what the orders that were run come to.
  public ResultSummary summary() {
    return ResultSummary.of(rows);
  }
}
