@NullMarked
package io.tranche.benchmarks.load;

import org.jspecify.annotations.NullMarked;
