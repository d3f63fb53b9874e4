@NullMarked
package io.tranche.experiment.evaluation;

import org.jspecify.annotations.NullMarked;
