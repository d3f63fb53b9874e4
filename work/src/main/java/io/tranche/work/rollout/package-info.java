/// Training with other processes, which play the episodes.
@NullMarked
package io.tranche.work.rollout;

import org.jspecify.annotations.NullMarked;
