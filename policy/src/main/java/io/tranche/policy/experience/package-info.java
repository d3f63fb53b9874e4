/// What was experienced, and what is worked out of it before learning: returns, advantages,
/// minibatches.
@NullMarked
package io.tranche.policy.experience;

import org.jspecify.annotations.NullMarked;
