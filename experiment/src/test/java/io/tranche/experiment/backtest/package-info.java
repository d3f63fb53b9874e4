@NullMarked
package io.tranche.experiment.backtest;

import org.jspecify.annotations.NullMarked;
