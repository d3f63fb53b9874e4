package io.tranche.experiment.backtest;

import io.tranche.backtest.run.ResultSummary;
import java.nio.file.Path;

/// How a backtest went.
///
/// @param summary of the orders that were run; of none if it was stopped
/// @param failed how many orders were left out, bad rows included; they are in `failed_orders.csv`
/// @param isComplete false if it was asked to stop; then nothing but the results of finished
///   instruments is there, and the next run goes on from them
/// @param result where `backtest_result.csv` is
public record BacktestOutcome(
    ResultSummary summary, int instruments, int failed, boolean isComplete, Path result) {}
