/// Judged orders in one compact file, some of them decision by decision.
@NullMarked
package io.tranche.analysis.record;

import org.jspecify.annotations.NullMarked;
