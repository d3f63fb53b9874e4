/// The order-execution problem: the state of an order, and the simulators that work it.
@NullMarked
package io.tranche.execution;

import org.jspecify.annotations.NullMarked;
