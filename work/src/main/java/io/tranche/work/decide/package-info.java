/// Decisions of a model bundle for the orders of a file, from stored or arriving bars.
@NullMarked
package io.tranche.work.decide;

import org.jspecify.annotations.NullMarked;
