/// The embedded market: a seeded generator of intraday bars with a known law, and what can be won
/// on them.
@NullMarked
package io.tranche.market.synthetic;

import org.jspecify.annotations.NullMarked;
