/// Benchmarks of live decisions in one process.
@NullMarked
package io.tranche.benchmarks.runtime;

import org.jspecify.annotations.NullMarked;
