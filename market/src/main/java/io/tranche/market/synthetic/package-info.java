/// The embedded market: a seeded generator of intraday bars whose law is known, and with it what
/// there is to win on them.
@NullMarked
package io.tranche.market.synthetic;

import org.jspecify.annotations.NullMarked;
