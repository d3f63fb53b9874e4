/// The golden topics on simulators, interpreters, rewards and backtests.
@NullMarked
package io.tranche.conformance.execution;

import org.jspecify.annotations.NullMarked;
