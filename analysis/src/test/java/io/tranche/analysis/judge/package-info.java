@NullMarked
package io.tranche.analysis.judge;

import org.jspecify.annotations.NullMarked;
