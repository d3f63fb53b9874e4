/// Trained runs and bundles that execute orders to be judged, here or on a cluster.
@NullMarked
package io.tranche.work.judge;

import org.jspecify.annotations.NullMarked;
