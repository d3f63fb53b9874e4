/// What Spark costs on top of threads: `tranche bench cluster`.
@NullMarked
package io.tranche.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
