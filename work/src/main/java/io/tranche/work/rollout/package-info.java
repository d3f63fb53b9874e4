/// Training with the help of other processes: episodes are played, and gradients worked out, where
/// there are cores.
@NullMarked
package io.tranche.work.rollout;

import org.jspecify.annotations.NullMarked;
