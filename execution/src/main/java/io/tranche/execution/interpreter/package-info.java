/// What a policy sees of an order, and what its actions mean.
@NullMarked
package io.tranche.execution.interpreter;

import org.jspecify.annotations.NullMarked;
