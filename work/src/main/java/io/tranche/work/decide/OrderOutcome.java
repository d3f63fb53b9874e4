package io.tranche.work.decide;

import io.tranche.market.order.NamedOrder;
import io.tranche.run.play.OrderResult;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// The outcome of an order.
///
/// @param date its trading day
/// @param averagePrice of its fills; NaN without fills
/// @param isOver whether its window had ended before the bars did, or it was completely filled
/// @param result compared with the mean price of its window; null if fills were not assumed or the
///   order was not over
public record OrderOutcome(
    NamedOrder named,
    LocalDate date,
    double filled,
    double averagePrice,
    boolean isOver,
    @Nullable OrderResult result) {

  /// Returns the filled part of the order.
  public double completion() {
    return result == null ? filled / named.order().amount() : result.completion();
  }
}
