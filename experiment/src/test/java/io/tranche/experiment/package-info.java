@NullMarked
package io.tranche.experiment;

import org.jspecify.annotations.NullMarked;
