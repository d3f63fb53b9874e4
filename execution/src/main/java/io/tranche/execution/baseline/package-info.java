/// Rules of thumb that trained policies are measured against.
@NullMarked
package io.tranche.execution.baseline;

import org.jspecify.annotations.NullMarked;
