/// The example at work.
@NullMarked
package io.tranche.examples.network;

import org.jspecify.annotations.NullMarked;
