package io.tranche.work.decide;

import io.tranche.market.order.NamedOrder;
import java.time.LocalDate;

/// The outcome of an order.
///
/// @param date its trading day
/// @param averagePrice of its fills; NaN without fills
/// @param twapPrice of the order's window; NaN if fills were not assumed or the window was not over
/// @param advantageBps against TWAP over the order's window; NaN likewise
/// @param isOver whether its window had ended before the bars did, or it was completely filled
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
