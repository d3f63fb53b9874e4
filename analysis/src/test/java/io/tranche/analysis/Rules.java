package io.tranche.analysis;

import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.StepRule;

/// Rules anyone would think of first.
final class Rules {

  private Rules() {}

  /// Trades everything as soon as the price moved the wrong way over the last step.
  static StepRule momentum(Schedule schedule) {
    return (day, side, step) -> step > 0 && side.sign() * lastMove(day, schedule, step) > 0 ? 1 : 0;
  }

  static StepRule atOnce() {
    return (DayFrame _, Side _, int _) -> 1;
  }

  static StepRule atLast() {
    return (DayFrame _, Side _, int _) -> 0;
  }

  private static double lastMove(DayFrame day, Schedule schedule, int step) {
    int close = day.fieldIndex("close");
    return day.value(close, schedule.start(step) - 1) - day.value(close, schedule.start(step - 1));
  }
}
