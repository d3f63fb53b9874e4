/// The exchange of a backtest: quotes, the rules that turn an order into a deal, and accounts.
@NullMarked
package io.tranche.backtest.exchange;

import org.jspecify.annotations.NullMarked;
