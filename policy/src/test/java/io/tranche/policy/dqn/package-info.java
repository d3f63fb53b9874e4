@NullMarked
package io.tranche.policy.dqn;

import org.jspecify.annotations.NullMarked;
