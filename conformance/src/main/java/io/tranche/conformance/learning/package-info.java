/// The golden topics on networks, algorithms and the trainer.
@NullMarked
package io.tranche.conformance.learning;

import org.jspecify.annotations.NullMarked;
