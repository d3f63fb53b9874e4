@NullMarked
package io.tranche.experiment.export;

import org.jspecify.annotations.NullMarked;
