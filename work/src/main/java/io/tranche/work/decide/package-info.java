/// Decisions of a model bundle for orders of a file, from bars of a file or as they come.
@NullMarked
package io.tranche.work.decide;

import org.jspecify.annotations.NullMarked;
