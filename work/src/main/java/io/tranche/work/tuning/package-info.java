/// The search for better settings: many trials of one configuration, the best of which go on.
@NullMarked
package io.tranche.work.tuning;

import org.jspecify.annotations.NullMarked;
