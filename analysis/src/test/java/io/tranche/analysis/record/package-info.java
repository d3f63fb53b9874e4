@NullMarked
package io.tranche.analysis.record;

import org.jspecify.annotations.NullMarked;
