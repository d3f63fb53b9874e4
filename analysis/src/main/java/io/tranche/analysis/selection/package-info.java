/// Which checkpoint of a run to use, judged on the test orders.
@NullMarked
package io.tranche.analysis.selection;

import org.jspecify.annotations.NullMarked;
