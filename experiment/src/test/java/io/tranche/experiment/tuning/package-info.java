@NullMarked
package io.tranche.experiment.tuning;

import org.jspecify.annotations.NullMarked;
