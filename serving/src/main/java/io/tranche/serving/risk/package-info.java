/// The check ahead of every child order, whoever decided: pure functions of limits, positions and
/// time.
@NullMarked
package io.tranche.serving.risk;

import org.jspecify.annotations.NullMarked;
