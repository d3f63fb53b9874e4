package io.tranche.market.synthetic;

import io.tranche.market.DayFrame;
import io.tranche.market.Side;

/// Says how much of an order to trade in each step of a [Schedule]. May look at the bars before the
/// step only.
@FunctionalInterface
public interface StepRule {

  /// Returns the part of the whole order to trade in `step`, from 0 to 1; what exceeds the rest is
  /// cut, and the last step trades the rest whatever is said.
  double share(DayFrame day, Side side, int step);
}
