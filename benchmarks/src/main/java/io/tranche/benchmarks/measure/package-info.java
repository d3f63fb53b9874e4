/// The form of a benchmark, and how time, memory and Python peers are measured.
@NullMarked
package io.tranche.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
