/// What a policy sees of an order, and what its actions mean for it.
@NullMarked
package io.tranche.execution.interpreter;

import org.jspecify.annotations.NullMarked;
