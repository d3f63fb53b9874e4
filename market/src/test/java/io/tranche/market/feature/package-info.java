@NullMarked
package io.tranche.market.feature;

import org.jspecify.annotations.NullMarked;
