/// Benchmarks of simulators and vectorised environments.
@NullMarked
package io.tranche.benchmarks.env;

import org.jspecify.annotations.NullMarked;
