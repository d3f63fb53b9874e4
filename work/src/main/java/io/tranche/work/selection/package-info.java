/// Which checkpoint of a run to use, judged on orders that training never saw.
@NullMarked
package io.tranche.work.selection;

import org.jspecify.annotations.NullMarked;
