/// "Accumulate to a target": a problem that has nothing to do with orders, wrapped from end to end.
@NullMarked
package io.tranche.env.accumulate;

import org.jspecify.annotations.NullMarked;
