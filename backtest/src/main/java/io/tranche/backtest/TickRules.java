package io.tranche.backtest;

import io.tranche.market.Side;

/// At which ticks an order may trade, and how much.
///
/// Hot path: allocates nothing.
final class TickRules {

  /// How far a number of lots may fall below a whole number and still count as whole.
  private static final double LOT_SLACK = 1e-9;

  private final double participation;
  private final double lot;
  private final double priceLimit;
  private final boolean qlib;

  TickRules(Frictions frictions, FillRule rule) {
    this.participation = frictions.participation();
    this.lot = frictions.lot();
    this.priceLimit = frictions.priceLimit();
    this.qlib = rule == FillRule.QLIB_SIMPLE;
  }

  /// Whether every tick of `ticks` can trade any amount up to the cap.
  boolean admitAll(DayTicks ticks) {
    return lot == 0 && priceLimit == Double.POSITIVE_INFINITY && (qlib || ticks.isClean());
  }

  boolean isTradable(DayTicks ticks, Side side, int tick) {
    if (!qlib && !ticks.isClean() && ticks.isMissing(tick)) {
      return false;
    }
    double[] changes = ticks.changes();
    if (changes == null) {
      return true;
    }
    // An unknown change blocks nothing, as on Qlib's exchange.
    return switch (side) {
      case BUY -> !(changes[tick] >= priceLimit);
      case SELL -> !(changes[tick] <= -priceLimit);
    };
  }

  /// Returns the part of `amount` that the market's volume at `tick` allows.
  double capped(DayTicks ticks, int tick, double amount) {
    if (participation == Double.POSITIVE_INFINITY) {
      return amount;
    }
    double volume = ticks.volumes()[tick];
    double cap =
        qlib && ticks.isSingle() ? (float) participation * (float) volume : participation * volume;
    return Math.min(amount, cap);
  }

  /// Returns `amount` rounded down to whole lots.
  double wholeLots(double amount) {
    return lot == 0 ? amount : Math.floor(amount / lot + LOT_SLACK) * lot;
  }

  /// Returns the part of `amount` that volume and lots allow.
  double allowed(DayTicks ticks, int tick, double amount) {
    return wholeLots(capped(ticks, tick, amount));
  }
}
