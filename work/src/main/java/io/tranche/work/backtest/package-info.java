/// Backtests from Qlib's configuration files: read, checked, run in parallel, resumed.
@NullMarked
package io.tranche.work.backtest;

import org.jspecify.annotations.NullMarked;
