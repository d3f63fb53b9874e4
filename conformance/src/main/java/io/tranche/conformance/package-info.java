/// Replays what the real Qlib answered and compares it with what Tranche answers.
@NullMarked
package io.tranche.conformance;

import org.jspecify.annotations.NullMarked;
