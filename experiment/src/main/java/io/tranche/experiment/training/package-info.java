/// Training with the help of other processes: episodes are played, and gradients worked out, where
/// there are cores.
@NullMarked
package io.tranche.experiment.training;

import org.jspecify.annotations.NullMarked;
