/// Predictions from whole observations: batched, cached, and either in time or refused.
@NullMarked
package io.tranche.serving.predict;

import org.jspecify.annotations.NullMarked;
