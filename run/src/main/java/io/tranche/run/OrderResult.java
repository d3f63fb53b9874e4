package io.tranche.run;

import io.tranche.market.Order;

/// What a policy made of one order.
///
/// @param advantageBps how much better its mean price is than that of the order's window, in basis
///   points
/// @param fillRate what part of the order was executed
public record OrderResult(Order order, double advantageBps, double fillRate) {}
