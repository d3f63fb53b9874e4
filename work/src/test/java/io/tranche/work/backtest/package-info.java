@NullMarked
package io.tranche.work.backtest;

import org.jspecify.annotations.NullMarked;
