/// Benchmarks of backtests.
@NullMarked
package io.tranche.benchmarks.backtest;

import org.jspecify.annotations.NullMarked;
