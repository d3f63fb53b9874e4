/// Orders in vectors of environments of every kind.
@NullMarked
package io.tranche.execution.vector;

import org.jspecify.annotations.NullMarked;
