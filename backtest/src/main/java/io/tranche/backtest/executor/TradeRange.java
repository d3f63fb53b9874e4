package io.tranche.backtest.executor;

import io.tranche.market.BarTime;
import java.time.LocalTime;

/// The times of day between which a decision may trade, both included. Qlib: `TradeRangeByTime`.
///
/// @param from seconds since midnight
/// @param to seconds since midnight
public record TradeRange(int from, int to) {

  public TradeRange {
    if (from >= to) {
      throw new IllegalArgumentException(
          "from must be before to, was %s .. %s"
              .formatted(LocalTime.ofSecondOfDay(from), LocalTime.ofSecondOfDay(to)));
    }
  }

  public static TradeRange between(LocalTime from, LocalTime to) {
    return new TradeRange(from.toSecondOfDay(), to.toSecondOfDay());
  }

  /// Returns the first step that may trade: the one that contains the beginning, or the nearest.
  public int firstStep(StepCalendar steps) {
    return steps.stepAt(midnight(steps.start()) + from);
  }

  /// Returns the last step that may trade: the one that contains the end, or the nearest.
  public int lastStep(StepCalendar steps) {
    return steps.stepAt(midnight(steps.start()) + to);
  }

  /// Returns `start`, or the beginning of the range on that day if that is later.
  public long clipStart(long start) {
    return Math.max(midnight(start) + from, start);
  }

  /// Returns `end`, or the end of the range on the day of `start` if that is earlier.
  public long clipEnd(long start, long end) {
    return Math.min(midnight(start) + to, end);
  }

  private static long midnight(long time) {
    return time - BarTime.secondOfDay(time);
  }
}
