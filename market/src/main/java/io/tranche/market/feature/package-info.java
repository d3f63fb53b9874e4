/// Features: what a policy sees of a day, computed once and read many times.
@NullMarked
package io.tranche.market.feature;

import org.jspecify.annotations.NullMarked;
