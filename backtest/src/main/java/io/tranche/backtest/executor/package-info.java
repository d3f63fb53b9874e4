/// Nested executors: steps within steps, strategies that split decisions, and what is measured of
/// them.
@NullMarked
package io.tranche.backtest.executor;

import org.jspecify.annotations.NullMarked;
