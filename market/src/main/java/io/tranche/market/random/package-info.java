/// The random numbers of all generated data. Not exported.
@NullMarked
package io.tranche.market.random;

import org.jspecify.annotations.NullMarked;
