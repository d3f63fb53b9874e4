/// A network of your own: a glance at a few numbers.
@NullMarked
package io.tranche.examples.network;

import org.jspecify.annotations.NullMarked;
