/// Parent and child orders, and the matching core that fills them from bars.
@NullMarked
package io.tranche.backtest;

import org.jspecify.annotations.NullMarked;
