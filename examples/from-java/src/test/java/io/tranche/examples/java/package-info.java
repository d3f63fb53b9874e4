/// Tests of the examples.
@NullMarked
package io.tranche.examples.java;

import org.jspecify.annotations.NullMarked;
