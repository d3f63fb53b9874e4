/// How often the judge is right: coverage of its intervals, and what it says of markets without
/// signal.
@NullMarked
package io.tranche.benchmarks.judge;

import org.jspecify.annotations.NullMarked;
