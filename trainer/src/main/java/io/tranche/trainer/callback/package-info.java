/// Callbacks of a trainer: checkpoints, early stopping, metrics files.
@NullMarked
package io.tranche.trainer.callback;

import org.jspecify.annotations.NullMarked;
