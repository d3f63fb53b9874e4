@NullMarked
package io.tranche.policy.learn;

import org.jspecify.annotations.NullMarked;
