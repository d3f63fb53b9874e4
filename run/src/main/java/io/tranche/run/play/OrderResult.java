package io.tranche.run.play;

import io.tranche.market.Order;

/// The result of one order under a policy.
///
/// @param advantageBps how much better its mean price is than the mean price of the order's window,
///   in basis points
/// @param fillRate filled part of the order
public record OrderResult(Order order, double advantageBps, double fillRate) {}
