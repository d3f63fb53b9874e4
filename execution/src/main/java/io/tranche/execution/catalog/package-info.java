/// The names under which configurations ask for the parts of the order-execution problem.
@NullMarked
package io.tranche.execution.catalog;

import org.jspecify.annotations.NullMarked;
