/// The complete state of a run in one file.
@NullMarked
package io.tranche.trainer.checkpoint;

import org.jspecify.annotations.NullMarked;
