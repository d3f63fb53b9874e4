/// Episodes that are played elsewhere first and then replayed by the trainer.
@NullMarked
package io.tranche.trainer.rollout;

import org.jspecify.annotations.NullMarked;
