/// Everything a run is at one moment, in one file.
@NullMarked
package io.tranche.trainer.checkpoint;

import org.jspecify.annotations.NullMarked;
