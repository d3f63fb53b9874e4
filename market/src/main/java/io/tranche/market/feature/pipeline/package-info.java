/// The pipeline that computes features for many instruments, and the stores that it writes.
@NullMarked
package io.tranche.market.feature.pipeline;

import org.jspecify.annotations.NullMarked;
