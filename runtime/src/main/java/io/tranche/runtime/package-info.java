/// Model bundles, and decisions in microseconds: what a desk embeds.
@NullMarked
package io.tranche.runtime;

import org.jspecify.annotations.NullMarked;
