/// Benchmarks of training: updates, whole runs, and what agents learn.
@NullMarked
package io.tranche.benchmarks.learning;

import org.jspecify.annotations.NullMarked;
