/// Orders: generated from bars, read from files, merged and written.
@NullMarked
package io.tranche.market.order;

import org.jspecify.annotations.NullMarked;
