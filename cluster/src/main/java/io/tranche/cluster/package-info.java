/// The same jobs on Apache Spark; the only code that knows it.
@NullMarked
package io.tranche.cluster;

import org.jspecify.annotations.NullMarked;
