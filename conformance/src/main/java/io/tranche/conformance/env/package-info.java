/// The golden topics on environments and their logs.
@NullMarked
package io.tranche.conformance.env;

import org.jspecify.annotations.NullMarked;
