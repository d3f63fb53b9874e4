package io.tranche.market.synthetic;

import io.tranche.market.DayFrame;
import io.tranche.market.Side;

/// The closes of one day within a schedule, which are the prices of an order's steps. Immutable.
///
/// A step trades evenly at the closes of its bars, except missing ones.
public final class Window {

  private final DayFrame day;
  private final double[] stepPrices;
  private final double meanPrice;
  private final double lowest;
  private final double highest;

  /// @throws IllegalArgumentException if the schedule reaches beyond the day
  public Window(Schedule schedule, DayFrame day) {
    if (schedule.to() > day.ticks()) {
      throw new IllegalArgumentException(
          "schedule must end by tick %d, was %s".formatted(day.ticks(), schedule));
    }
    this.day = day;
    this.stepPrices = new double[schedule.steps()];
    int close = day.fieldIndex("close");
    double all = 0;
    int bars = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int step = 0; step < stepPrices.length; step++) {
      double sum = 0;
      int count = 0;
      for (int tick = schedule.start(step); tick < schedule.end(step); tick++) {
        double price = day.value(close, tick);
        if (!Double.isNaN(price)) {
          sum += price;
          count++;
          low = Math.min(low, price);
          high = Math.max(high, price);
        }
      }
      stepPrices[step] = sum / count;
      all += sum;
      bars += count;
    }
    this.meanPrice = all / bars;
    this.lowest = low;
    this.highest = high;
  }

  /// Whether every step has a bar to trade in; an order on any other day cannot be executed as
  /// planned and is left out of every comparison.
  public boolean isTradable() {
    for (double price : stepPrices) {
      if (Double.isNaN(price)) {
        return false;
      }
    }
    return true;
  }

  /// Returns what `rule` wins over the mean price of the window, in basis points.
  public double advantageBps(Side side, StepRule rule) {
    double left = 1;
    double price = 0;
    for (int step = 0; step < stepPrices.length && left > 0; step++) {
      boolean last = step == stepPrices.length - 1;
      double share = last ? left : Math.min(left, rule.share(day, side, step));
      price += share * stepPrices[step];
      left -= share;
    }
    return side.advantageBps(price, meanPrice);
  }

  public double bestStepBps(Side side) {
    double best = Double.NEGATIVE_INFINITY;
    for (double price : stepPrices) {
      best = Math.max(best, side.advantageBps(price, meanPrice));
    }
    return best;
  }

  public double bestBarBps(Side side) {
    return side.advantageBps(side == Side.BUY ? lowest : highest, meanPrice);
  }
}
