/// Deep Q-learning, with plain values or quantiles.
@NullMarked
package io.tranche.policy.dqn;

import org.jspecify.annotations.NullMarked;
