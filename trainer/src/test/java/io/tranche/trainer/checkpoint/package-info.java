/// Tests of checkpoint files.
@NullMarked
package io.tranche.trainer.checkpoint;

import org.jspecify.annotations.NullMarked;
