package io.tranche.backtest.run;

import io.tranche.market.Order;

/// An order that could not be run, and why.
///
/// @param reason one sentence
public record FailedOrder(Order order, String reason) {}
