/// Tests of the training loop, on a walk that is learnt in a second.
@NullMarked
package io.tranche.trainer;

import org.jspecify.annotations.NullMarked;
