/// Benchmarks of training: updates, whole runs, and the results of learning.
@NullMarked
package io.tranche.benchmarks.learning;

import org.jspecify.annotations.NullMarked;
