/// Caches that keep what was used last.
@NullMarked
package io.tranche.market.cache;

import org.jspecify.annotations.NullMarked;
