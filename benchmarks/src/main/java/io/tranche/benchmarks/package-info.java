/// The time and memory that Tranche takes, alone and side by side with its Python peers.
@NullMarked
package io.tranche.benchmarks;

import org.jspecify.annotations.NullMarked;
