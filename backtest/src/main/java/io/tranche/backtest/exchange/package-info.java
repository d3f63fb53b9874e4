/// The exchange of a backtest: quotes, the rules for fills, and accounts.
@NullMarked
package io.tranche.backtest.exchange;

import org.jspecify.annotations.NullMarked;
