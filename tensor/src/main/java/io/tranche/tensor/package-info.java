/// Weights, layers with hand-written backward passes, and the optimiser.
@NullMarked
package io.tranche.tensor;

import org.jspecify.annotations.NullMarked;
