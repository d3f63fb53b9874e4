/// The rewards of an order's steps.
@NullMarked
package io.tranche.execution.reward;

import org.jspecify.annotations.NullMarked;
