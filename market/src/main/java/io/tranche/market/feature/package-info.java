/// Features, which are what a policy sees of a day: the contracts, and features read from files.
@NullMarked
package io.tranche.market.feature;

import org.jspecify.annotations.NullMarked;
