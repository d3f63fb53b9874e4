package io.tranche.cli.replay;

import io.tranche.market.Frequency;
import io.tranche.work.decide.Pace;
import java.time.Duration;
import java.util.function.LongConsumer;

/// Plays bars at market speed or faster. Breaks and nights take as long as one bar.
public final class MarketPace implements Pace {

  /// The longest time without an update of the display.
  private static final long SLICE_NANOS = 200_000_000;

  private static final double NANOS = 1e9;

  private final double speed;
  private final Frequency frequency;
  private final long endNanos;
  private final StopRequest stop;
  private final LongConsumer idle;
  private long lastTime = Long.MIN_VALUE;
  private double dueNanos = System.nanoTime();

  /// @param speed 1 for market time; infinite for as fast as possible
  /// @param length after which there are no more bars
  /// @param idle is called as time passes, with the [io.tranche.market.BarTime] of the next bars
  public MarketPace(
      double speed, Frequency frequency, Duration length, StopRequest stop, LongConsumer idle) {
    this.speed = speed;
    this.frequency = frequency;
    this.endNanos = System.nanoTime() + length.toNanos();
    this.stop = stop;
    this.idle = idle;
  }

  @Override
  public boolean await(long time) {
    long gap = time - lastTime;
    boolean isNext = gap > 0 && gap < frequency.seconds();
    dueNanos += NANOS * (isNext ? gap : frequency.seconds()) / speed;
    lastTime = time;
    idle.accept(time);
    while (!isOver()) {
      long left = Math.min((long) dueNanos, endNanos) - System.nanoTime();
      if (left <= 0) {
        return !isOver();
      }
      stop.await(Duration.ofNanos(Math.min(left, SLICE_NANOS)));
      idle.accept(time);
    }
    return false;
  }

  /// Whether there are no more bars.
  public boolean isOver() {
    return stop.isRequested() || System.nanoTime() - endNanos >= 0;
  }
}
