/// What a step of an order's execution is worth.
@NullMarked
package io.tranche.execution.reward;

import org.jspecify.annotations.NullMarked;
