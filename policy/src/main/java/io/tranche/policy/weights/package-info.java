/// Weights in files: torch's and safetensors, read without executing anything.
@NullMarked
package io.tranche.policy.weights;

import org.jspecify.annotations.NullMarked;
