/// Open-loop load on HTTP servers: requests leave at their times, whatever the answers do.
@NullMarked
package io.tranche.benchmarks.load;

import org.jspecify.annotations.NullMarked;
