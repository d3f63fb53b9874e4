/// Layers that are composed to networks: the backward pass of the whole follows from theirs.
@NullMarked
package io.tranche.tensor.layer;

import org.jspecify.annotations.NullMarked;
