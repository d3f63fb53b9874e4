/// The example at work.
@NullMarked
package io.tranche.examples.problem;

import org.jspecify.annotations.NullMarked;
