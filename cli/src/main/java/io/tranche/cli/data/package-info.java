/// The verbs `data` and `orders`.
@NullMarked
package io.tranche.cli.data;

import org.jspecify.annotations.NullMarked;
