@NullMarked
package io.tranche.policy.weights;

import org.jspecify.annotations.NullMarked;
