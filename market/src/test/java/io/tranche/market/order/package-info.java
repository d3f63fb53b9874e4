@NullMarked
package io.tranche.market.order;

import org.jspecify.annotations.NullMarked;
