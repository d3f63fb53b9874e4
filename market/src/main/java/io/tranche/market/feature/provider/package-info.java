/// Features that a provider computes: the contract, the built-in providers, and the check that none
/// looks ahead.
@NullMarked
package io.tranche.market.feature.provider;

import org.jspecify.annotations.NullMarked;
