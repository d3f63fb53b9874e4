/// The decision service: orders that are never lost, answers that are never late.
@NullMarked
package io.tranche.serving;

import org.jspecify.annotations.NullMarked;
