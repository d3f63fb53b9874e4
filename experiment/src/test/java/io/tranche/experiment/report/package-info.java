@NullMarked
package io.tranche.experiment.report;

import org.jspecify.annotations.NullMarked;
