/// Nested executors: steps within steps, strategies that split decisions, and the indicators of
/// each step.
@NullMarked
package io.tranche.backtest.executor;

import org.jspecify.annotations.NullMarked;
