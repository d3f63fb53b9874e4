/// `tranche dashboard`.
@NullMarked
package io.tranche.cli.dashboard;

import org.jspecify.annotations.NullMarked;
