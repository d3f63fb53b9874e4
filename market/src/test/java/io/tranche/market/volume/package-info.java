@NullMarked
package io.tranche.market.volume;

import org.jspecify.annotations.NullMarked;
