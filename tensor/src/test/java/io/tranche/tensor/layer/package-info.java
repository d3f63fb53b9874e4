/// Composed layers.
@NullMarked
package io.tranche.tensor.layer;

import org.jspecify.annotations.NullMarked;
