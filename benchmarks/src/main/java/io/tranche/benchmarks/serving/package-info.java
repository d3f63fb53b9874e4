/// Benchmarks of the decision service.
@NullMarked
package io.tranche.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
