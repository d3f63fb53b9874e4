/// The defects of Qlib that Tranche does not reproduce, and what Qlib would answer without them.
@NullMarked
package io.tranche.conformance.deviation;

import org.jspecify.annotations.NullMarked;
