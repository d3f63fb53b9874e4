/// Replays recorded cases of the real Qlib and compares its answers with Tranche's.
@NullMarked
package io.tranche.conformance;

import org.jspecify.annotations.NullMarked;
