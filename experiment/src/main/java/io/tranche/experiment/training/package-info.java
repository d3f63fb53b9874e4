/// Training with the help of other processes: episodes are played wherever there are cores.
@NullMarked
package io.tranche.experiment.training;

import org.jspecify.annotations.NullMarked;
