package io.tranche.market.order;

import io.tranche.market.BarTime;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;

/// The ticks of a day on which an order is worked, and the ticks of its decisions: the first
/// decision is at its first tick, the others at step boundaries, which are counted from the day's
/// first tick.
///
/// @param endTick the tick after the last one
/// @param ticksPerStep the number of ticks in a step
public record OrderWindow(int firstTick, int endTick, int ticksPerStep) {

  public OrderWindow {
    if (firstTick < 0 || firstTick >= endTick || ticksPerStep < 1) {
      throw new IllegalArgumentException(
          "window must have ticks, was %d .. %d by %d".formatted(firstTick, endTick, ticksPerStep));
    }
  }

  /// Finds the ticks between two times. An order opened after its start begins at the next tick.
  ///
  /// @param id of the order, for messages
  /// @param times of the day's ticks
  /// @param passed the number of ticks that have passed
  /// @param end exclusive
  /// @throws IllegalArgumentException if no tick is left, or the times are not on the day
  public static OrderWindow of(
      String id,
      String instrument,
      LocalDate date,
      long[] times,
      int passed,
      int ticksPerStep,
      LocalDateTime start,
      LocalDateTime end) {
    boolean endsLater = BarTime.of(end) > BarTime.of(date.plusDays(1));
    if (endsLater || start.toLocalDate().isBefore(BarTime.date(times[0]))) {
      throw new IllegalArgumentException(
          "window of order %s must be on the trading day %s, was %s .. %s"
              .formatted(id, date, start, end));
    }
    int firstTick = Math.max(ceiling(times, BarTime.of(start)), passed);
    int endTick = ceiling(times, BarTime.of(end));
    if (firstTick >= endTick) {
      throw new IllegalArgumentException(
          "window of order %s must have a tick of %s %s after the %d that have passed, was %s .. %s"
              .formatted(id, instrument, date, passed, start, end));
    }
    return new OrderWindow(firstTick, endTick, ticksPerStep);
  }

  /// Finds the ticks between two times of a day whose ticks have not passed.
  ///
  /// @param end exclusive
  /// @throws IllegalArgumentException if there is no tick between them
  public static OrderWindow of(long[] times, int ticksPerStep, long start, long end) {
    return new OrderWindow(ceiling(times, start), ceiling(times, end), ticksPerStep);
  }

  /// Returns the first tick at or after `time`; the number of ticks if there is none.
  public static int ceiling(long[] times, long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -index - 1;
  }

  /// @throws IllegalArgumentException if the window takes more than `maxSteps` decisions
  public void requireSteps(String id, int maxSteps) {
    if (steps() > maxSteps) {
      throw new IllegalArgumentException(
          "window of order %s must take at most %d decisions, the model's, was %d"
              .formatted(id, maxSteps, steps()));
    }
  }

  /// Returns the number of decisions.
  public int steps() {
    return stepAt(endTick - 1) + 1;
  }

  /// Returns the step that contains `tick`, which must not be before the first tick.
  public int stepAt(int tick) {
    return tick / ticksPerStep - firstTick / ticksPerStep;
  }

  /// Returns the tick of a decision; the end of the window after the last decision.
  public int tickOf(int step) {
    return step == 0
        ? firstTick
        : Math.min((firstTick / ticksPerStep + step) * ticksPerStep, endTick);
  }
}
