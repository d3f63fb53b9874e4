/// Training with the help of other processes: episodes are played wherever there are cores.
@NullMarked
package io.tranche.work.rollout;

import org.jspecify.annotations.NullMarked;
