package io.tranche.work.decide;

/// The summary of all orders.
///
/// @param unfinished the number of orders whose windows had not ended when the bars did
/// @param completion the mean share of an order that was filled
/// @param advantageBps against TWAP over the order's window, on average; NaN if fills were not
///   assumed
/// @param costBps fees and taxes, on average; NaN likewise
/// @param setAside the number of bars that were left out
public record ReplaySummary(
    int orders,
    int unfinished,
    long decisions,
    double completion,
    double advantageBps,
    double costBps,
    long setAside) {}
