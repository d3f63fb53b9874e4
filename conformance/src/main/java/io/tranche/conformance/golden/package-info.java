/// The form of golden files: cases, frames, values, orders and weights.
@NullMarked
package io.tranche.conformance.golden;

import org.jspecify.annotations.NullMarked;
