/// The inner loops of all layers: a scalar reference and the same kernels on the Vector API.
@NullMarked
package io.tranche.tensor.kernels;

import org.jspecify.annotations.NullMarked;
