/// Python pickles read as data: values, pandas frames and the files of Qlib; nothing in them is
/// ever executed.
@NullMarked
package io.tranche.market.pickle;

import org.jspecify.annotations.NullMarked;
