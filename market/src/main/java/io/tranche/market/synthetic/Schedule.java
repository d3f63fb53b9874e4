package io.tranche.market.synthetic;

/// When an order may decide: a window of the day's ticks cut into steps of equal length; the last
/// may be shorter.
///
/// @param from first tick of the window
/// @param to tick after the last
public record Schedule(int from, int to, int ticksPerStep) {

  public Schedule {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "window must be a range of ticks, was %d .. %d".formatted(from, to));
    }
    if (ticksPerStep < 1) {
      throw new IllegalArgumentException("ticksPerStep must be positive, was " + ticksPerStep);
    }
  }

  public int steps() {
    return Math.ceilDiv(to - from, ticksPerStep);
  }

  /// Returns the first tick of `step`; its decision sees the ticks before this one.
  public int start(int step) {
    return from + step * ticksPerStep;
  }

  /// Returns the tick after the last of `step`.
  public int end(int step) {
    return Math.min(to, start(step + 1));
  }
}
