/// Predictions on whole observations: batched, cached, in time or not at all.
@NullMarked
package io.tranche.serving.predict;

import org.jspecify.annotations.NullMarked;
