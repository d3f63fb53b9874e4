/// The defects of Qlib that Tranche does not reproduce, and Qlib's answers without them.
@NullMarked
package io.tranche.conformance.deviation;

import org.jspecify.annotations.NullMarked;
