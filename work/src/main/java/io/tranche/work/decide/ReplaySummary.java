package io.tranche.work.decide;

/// What became of all orders.
///
/// @param unfinished how many orders' windows were not over when the bars ended
/// @param fillRate how much of an order was filled, on average
/// @param advantageBps against TWAP over the order's window, on average; NaN if fills were not
///   assumed
/// @param setAside how many bars were left out
public record ReplaySummary(
    int orders,
    int unfinished,
    long decisions,
    double fillRate,
    double advantageBps,
    long setAside) {}
