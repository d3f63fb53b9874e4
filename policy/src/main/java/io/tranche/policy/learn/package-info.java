/// The parts that all learning algorithms share.
@NullMarked
package io.tranche.policy.learn;

import org.jspecify.annotations.NullMarked;
