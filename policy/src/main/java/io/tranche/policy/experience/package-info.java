/// Recorded experience, and the returns, advantages, minibatches and slices made from it.
@NullMarked
package io.tranche.policy.experience;

import org.jspecify.annotations.NullMarked;
