package io.tranche.backtest.executor;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;

/// The steps of one level within one step of the level above, and the current one. Qlib:
/// `TradeCalendarManager`.
///
/// A step lasts until the second before the next entry of the calendar: the last one before lunch
/// ends after lunch, the last one of a day on the next day.
public final class StepCalendar {

  private final Calendar calendar;
  private final boolean lastStepTrades;
  private int first;
  private int count;
  private int step;
  private long start;

  /// @param lastStepTrades whether the calendar's last entry is a step although it has no
  ///   successor; Qlib cannot trade it (quirk Q31)
  StepCalendar(Calendar calendar, boolean lastStepTrades) {
    this.calendar = calendar;
    this.lastStepTrades = lastStepTrades;
  }

  /// Restarts with the steps that start between `from` and `to`.
  void reset(long from, long to) {
    this.start = from;
    this.first = calendar.ceiling(from);
    this.count = Math.max(calendar.floor(to) - first + 1, 0);
    this.step = 0;
  }

  void advance() {
    step++;
  }

  public boolean isFinished() {
    return step >= count;
  }

  /// Returns the number of steps.
  public int count() {
    return count;
  }

  /// Returns the current step, 0 the first.
  public int step() {
    return step;
  }

  /// Returns the start of the outer level's step, which is before or at the first step.
  public long start() {
    return start;
  }

  /// Returns when the current step starts.
  public long stepStart() {
    return calendar.time(first + step);
  }

  /// Returns the last second of the current step.
  ///
  /// @throws DataException if the step is the calendar's last one and cannot be traded
  public long stepEnd() {
    return end(first + step);
  }

  /// Returns when the step before the current one started; [Long#MIN_VALUE] if the calendar has
  /// none.
  public long previousStart() {
    int index = first + step - 1;
    return index < 0 ? Long.MIN_VALUE : calendar.time(index);
  }

  private long end(int index) {
    if (index + 1 < calendar.size()) {
      return calendar.time(index + 1) - 1;
    }
    if (!lastStepTrades) {
      throw new DataException(
          "calendar " + calendar.frequency(),
          "an entry after the step " + BarTime.format(calendar.time(index)),
          "none: the last step of a calendar cannot be traded");
    }
    return calendar.time(index) + calendar.frequency().seconds() - 1;
  }

  /// Returns the step that contains `time`, or the nearest one.
  int stepAt(long time) {
    return Math.clamp(calendar.floor(time) - first, 0, Math.max(count - 1, 0));
  }

  /// Returns the width of a step in minutes.
  public int minutes() {
    return calendar.frequency().seconds() / 60;
  }
}
