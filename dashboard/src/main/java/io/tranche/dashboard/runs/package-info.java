/// What run folders hold, read while they change: runs, curves, configurations, tags.
@NullMarked
package io.tranche.dashboard.runs;

import org.jspecify.annotations.NullMarked;
