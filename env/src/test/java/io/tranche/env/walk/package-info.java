/// "TargetWalk to a target": a problem that has nothing to do with orders, wrapped from end to end.
@NullMarked
package io.tranche.env.walk;

import org.jspecify.annotations.NullMarked;
