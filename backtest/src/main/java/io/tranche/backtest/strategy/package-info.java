/// Strategies that are rules.
@NullMarked
package io.tranche.backtest.strategy;

import org.jspecify.annotations.NullMarked;
