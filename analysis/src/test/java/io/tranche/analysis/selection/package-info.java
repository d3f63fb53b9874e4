@NullMarked
package io.tranche.analysis.selection;

import org.jspecify.annotations.NullMarked;
