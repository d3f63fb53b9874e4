/// The queue that feeds initial states to environments, epoch after epoch.
@NullMarked
package io.tranche.env.queue;

import org.jspecify.annotations.NullMarked;
