/// A problem of your own: accumulate to a target.
@NullMarked
package io.tranche.examples.problem;

import org.jspecify.annotations.NullMarked;
