/// An agent judged under many conditions at once.
@NullMarked
package io.tranche.work.stress;

import org.jspecify.annotations.NullMarked;
