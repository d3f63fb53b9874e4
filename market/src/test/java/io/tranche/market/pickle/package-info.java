@NullMarked
package io.tranche.market.pickle;

import org.jspecify.annotations.NullMarked;
