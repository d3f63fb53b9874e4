/// Rules that trained policies are compared with.
@NullMarked
package io.tranche.execution.baseline;

import org.jspecify.annotations.NullMarked;
