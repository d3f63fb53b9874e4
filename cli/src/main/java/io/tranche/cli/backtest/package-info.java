/// The verbs that backtest and report: `backtest`, `select` and `report`.
@NullMarked
package io.tranche.cli.backtest;

import org.jspecify.annotations.NullMarked;
