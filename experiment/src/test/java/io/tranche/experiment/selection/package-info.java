@NullMarked
package io.tranche.experiment.selection;

import org.jspecify.annotations.NullMarked;
