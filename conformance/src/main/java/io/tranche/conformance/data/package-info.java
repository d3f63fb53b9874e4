/// The golden topics on configuration, stores, features and orders.
@NullMarked
package io.tranche.conformance.data;

import org.jspecify.annotations.NullMarked;
