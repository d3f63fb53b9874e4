/// Model bundles, and decisions in microseconds: the part that a trading desk embeds.
@NullMarked
package io.tranche.runtime;

import org.jspecify.annotations.NullMarked;
