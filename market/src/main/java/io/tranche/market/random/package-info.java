/// The random numbers of everything that is generated. Not exported.
@NullMarked
package io.tranche.market.random;

import org.jspecify.annotations.NullMarked;
