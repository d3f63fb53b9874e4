@NullMarked
package io.tranche.benchmarks.learning;

import org.jspecify.annotations.NullMarked;
