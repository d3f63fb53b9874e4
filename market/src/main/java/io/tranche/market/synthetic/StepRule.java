package io.tranche.market.synthetic;

import io.tranche.market.DayFrame;
import io.tranche.market.Side;

/// Says how much of an order to trade in each step of a [Schedule]. It may look only at the bars
/// before the step.
@FunctionalInterface
public interface StepRule {

  /// Returns the part of the whole order to trade in `step`, from 0 to 1; it is capped at the
  /// remaining part, and the last step always trades all that remains.
  double share(DayFrame day, Side side, int step);
}
