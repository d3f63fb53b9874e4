/// The search for better settings: many trials of one configuration, of which the best continue.
@NullMarked
package io.tranche.work.tuning;

import org.jspecify.annotations.NullMarked;
