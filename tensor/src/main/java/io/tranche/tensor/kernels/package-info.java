/// The inner loops of everything else: a scalar reference and its twin on the Vector API.
@NullMarked
package io.tranche.tensor.kernels;

import org.jspecify.annotations.NullMarked;
