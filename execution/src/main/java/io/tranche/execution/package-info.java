/// The order-execution problem: what an order's state is, and the simulators that work it.
@NullMarked
package io.tranche.execution;

import org.jspecify.annotations.NullMarked;
