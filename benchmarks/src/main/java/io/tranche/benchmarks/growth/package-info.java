/// Benchmarks of how time and memory grow.
@NullMarked
package io.tranche.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
