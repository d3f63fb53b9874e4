/// The overhead of Spark over threads: `tranche bench cluster`.
@NullMarked
package io.tranche.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
