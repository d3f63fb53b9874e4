/// Experience, and what is computed from it before learning: returns, advantages, minibatches and
/// slices.
@NullMarked
package io.tranche.policy.experience;

import org.jspecify.annotations.NullMarked;
