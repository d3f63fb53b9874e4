/// A run, from its configuration to its run directory, and the recipe that native ones start from.
@NullMarked
package io.tranche.experiment;

import org.jspecify.annotations.NullMarked;
