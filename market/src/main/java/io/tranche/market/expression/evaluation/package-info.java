/// Values of expressions: over ranges of bars, and bar by bar.
@NullMarked
package io.tranche.market.expression.evaluation;

import org.jspecify.annotations.NullMarked;
