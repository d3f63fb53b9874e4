/// Judged orders, found, sorted and paged without reading all of their file.
@NullMarked
package io.tranche.dashboard.orders;

import org.jspecify.annotations.NullMarked;
