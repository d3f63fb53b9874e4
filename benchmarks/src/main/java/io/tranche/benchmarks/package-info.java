/// What Tranche costs in time and memory, alone and side by side with its Python peers.
@NullMarked
package io.tranche.benchmarks;

import org.jspecify.annotations.NullMarked;
