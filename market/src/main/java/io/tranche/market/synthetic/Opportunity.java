package io.tranche.market.synthetic;

import io.tranche.market.Side;
import java.time.LocalDate;

/// What can be won on one order, as advantages over the mean price of its window, in basis points.
///
/// @param optimumBps advantage of the best policy on visible information
/// @param expectedBps advantage that this policy expected at the start
/// @param bestStepBps the hindsight oracle: everything in the best step
/// @param bestBarBps everything at the best single close
public record Opportunity(
    String instrument,
    LocalDate date,
    Split split,
    Side side,
    double optimumBps,
    double expectedBps,
    double bestStepBps,
    double bestBarBps) {}
