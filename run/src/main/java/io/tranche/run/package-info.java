/// A training run as one typed value: read from YAML of either dialect, written back by one writer,
/// put together from its data and parts, and trained.
@NullMarked
package io.tranche.run;

import org.jspecify.annotations.NullMarked;
