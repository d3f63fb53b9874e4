package io.tranche.market.synthetic;

import io.tranche.market.Side;
import java.time.LocalDate;

/// What can be won on one order, as advantages over the mean price of its window, in basis points.
///
/// @param optimumBps what the best policy on visible information won
/// @param expectedBps what that policy expected to win at the start
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
