/// Many environments at once, in the caller's thread, in worker threads or in child processes, and
/// the collector that drives them.
@NullMarked
package io.tranche.env.vector;

import org.jspecify.annotations.NullMarked;
