/// Callbacks and log writers by name.
@NullMarked
package io.tranche.trainer.catalog;

import org.jspecify.annotations.NullMarked;
