/// Benchmarks of reading bars and making features.
@NullMarked
package io.tranche.benchmarks.data;

import org.jspecify.annotations.NullMarked;
