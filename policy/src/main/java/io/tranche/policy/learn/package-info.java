/// Algorithms that improve a model, given what was experienced, and the policies that act by it.
@NullMarked
package io.tranche.policy.learn;

import org.jspecify.annotations.NullMarked;
