/// Where a Java program begins: train, judge, backtest and export in a few lines.
@NullMarked
package io.tranche.work.start;

import org.jspecify.annotations.NullMarked;
