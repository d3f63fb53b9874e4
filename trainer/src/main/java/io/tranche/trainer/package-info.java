/// The training loop: iterations of collecting and learning, with callbacks around them.
@NullMarked
package io.tranche.trainer;

import org.jspecify.annotations.NullMarked;
