/// Networks by hand: weights, layers with their backward passes, the optimiser, the threads.
@NullMarked
package io.tranche.tensor;

import org.jspecify.annotations.NullMarked;
