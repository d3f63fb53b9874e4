@NullMarked
package io.tranche.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
