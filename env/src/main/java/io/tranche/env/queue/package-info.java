/// The queue that feeds initial states to environments, epoch by epoch.
@NullMarked
package io.tranche.env.queue;

import org.jspecify.annotations.NullMarked;
