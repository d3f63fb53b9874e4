/// Tests of the runtime.
@NullMarked
package io.tranche.runtime;

import org.jspecify.annotations.NullMarked;
