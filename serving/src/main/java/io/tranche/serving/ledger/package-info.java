/// The state of every day and order, computed from events alone.
@NullMarked
package io.tranche.serving.ledger;

import org.jspecify.annotations.NullMarked;
