@NullMarked
package io.tranche.policy.ppo;

import org.jspecify.annotations.NullMarked;
