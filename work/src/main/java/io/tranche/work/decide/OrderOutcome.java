package io.tranche.work.decide;

import io.tranche.market.order.NamedOrder;
import java.time.LocalDate;

/// What became of an order.
///
/// @param date its trading day
/// @param averagePrice of what was filled, NaN if nothing was
/// @param twapPrice of the order's window; NaN if fills were not assumed or the window was not over
/// @param advantageBps against TWAP over the order's window; NaN likewise
/// @param isOver whether its window was over when the bars ended, or all of it filled
public record OrderOutcome(
    NamedOrder named,
    LocalDate date,
    double filled,
    double averagePrice,
    double twapPrice,
    double advantageBps,
    boolean isOver) {

  public double fillRate() {
    return filled / named.order().amount();
  }
}
