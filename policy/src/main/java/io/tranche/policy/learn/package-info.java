/// What all algorithms that improve an agent share.
@NullMarked
package io.tranche.policy.learn;

import org.jspecify.annotations.NullMarked;
