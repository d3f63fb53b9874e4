/// Whole backtests: orders in, result rows, histories, fills and failures out.
@NullMarked
package io.tranche.backtest.run;

import org.jspecify.annotations.NullMarked;
