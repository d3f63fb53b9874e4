/// An example: a feature of your own.
@NullMarked
package io.tranche.examples.feature;

import org.jspecify.annotations.NullMarked;
