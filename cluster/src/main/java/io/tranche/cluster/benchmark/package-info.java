/// What Spark costs on top of threads: `tranche bench cluster`.
@NullMarked
package io.tranche.cluster.benchmark;

import org.jspecify.annotations.NullMarked;
