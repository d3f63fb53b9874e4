/// Soft actor-critic: continuous actions, learnt from replayed experience.
@NullMarked
package io.tranche.policy.sac;

import org.jspecify.annotations.NullMarked;
