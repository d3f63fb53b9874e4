/// Runs of typed values, with parts of your own.
@NullMarked
package io.tranche.examples.java;

import org.jspecify.annotations.NullMarked;
