/// Policies judged on orders: against rules, pair by pair, day by day.
@NullMarked
package io.tranche.analysis;

import org.jspecify.annotations.NullMarked;
