@NullMarked
package io.tranche.dashboard.orders;

import org.jspecify.annotations.NullMarked;
