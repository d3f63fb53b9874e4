/// How much will trade in the rest of a day, learnt from the days before and the day so far.
@NullMarked
package io.tranche.market.volume;

import org.jspecify.annotations.NullMarked;
