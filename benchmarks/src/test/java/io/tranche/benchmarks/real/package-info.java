@NullMarked
package io.tranche.benchmarks.real;

import org.jspecify.annotations.NullMarked;
