/// Caches of the most recently used values.
@NullMarked
package io.tranche.market.cache;

import org.jspecify.annotations.NullMarked;
