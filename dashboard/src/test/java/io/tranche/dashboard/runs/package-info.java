@NullMarked
package io.tranche.dashboard.runs;

import org.jspecify.annotations.NullMarked;
