/// Many environments at once, on one thread or several, and the collector that drives them.
@NullMarked
package io.tranche.env.vector;

import org.jspecify.annotations.NullMarked;
