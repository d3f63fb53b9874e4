/// Networks over random orders on random days.
@NullMarked
package io.tranche.policy.network;

import org.jspecify.annotations.NullMarked;
