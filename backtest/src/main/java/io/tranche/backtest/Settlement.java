package io.tranche.backtest;

import io.tranche.market.Side;
import org.jspecify.annotations.Nullable;

/// The prices and fees of fills.
///
/// Hot path: allocates nothing.
final class Settlement {

  /// What [Fills#commission] is before the first fill that a minimum is charged for.
  static final double UNCHARGED = -1;

  private final Costs costs;
  private final double halfSpread;
  private final double linear;
  private final double squareRoot;
  private final double push;
  private final double decay;

  Settlement(Costs costs) {
    double linearSum = 0;
    double squareRootSum = 0;
    double transientPush = 0;
    double transientDecay = 0;
    for (Impact impact : costs.impacts()) {
      switch (impact) {
        case Impact.Linear(double coefficient) -> linearSum += coefficient;
        case Impact.SquareRoot(double coefficient) -> squareRootSum += coefficient;
        case Impact.Transient(double coefficient, double left) -> {
          transientPush = coefficient;
          transientDecay = left;
        }
      }
    }
    this.costs = costs;
    this.halfSpread = costs.halfSpreadBps() / 10_000;
    this.linear = linearSum;
    this.squareRoot = squareRootSum;
    this.push = transientPush;
    this.decay = transientDecay;
  }

  boolean movesPrices() {
    return halfSpread > 0 || linear > 0 || squareRoot > 0 || push > 0;
  }

  boolean hasFees() {
    return costs.hasFees();
  }

  /// Must be called before the fills of a child order.
  void begin(Fills fills) {
    if (costs.minimumPer() == Costs.Unit.CHILD) {
      fills.setCommission(UNCHARGED);
    }
  }

  /// Prices the market fills of the ticks from `from` (inclusive) to `to` (exclusive).
  void settle(Fills fills, int from, int to) {
    double[] prices = fills.prices();
    double[] fees = fills.fees();
    for (int tick = from; tick < to; tick++) {
      int slot = fills.slot(tick);
      double amount = fills.amounts()[slot];
      double price = marketPrice(fills, tick, amount);
      if (prices != null) {
        prices[slot] = price;
      }
      if (fees != null) {
        fees[slot] = fee(fills, price * amount);
      }
    }
  }

  /// Charges the fills of the ticks from `from` to `to`, whose prices are known.
  void charge(Fills fills, double[] prices, int from, int to) {
    double[] fees = fills.fees();
    if (fees != null) {
      for (int slot = fills.slot(from); slot < fills.slot(to); slot++) {
        fees[slot] = fee(fills, prices[slot] * fills.amounts()[slot]);
      }
    }
  }

  /// Returns what the next fill adds to the fees; 0 if nothing is filled.
  private double fee(Fills fills, double value) {
    if (!(value > 0)) {
      return 0;
    }
    return commission(fills, value * costs.commission()) + value * costs.tax(fills.side());
  }

  private double commission(Fills fills, double due) {
    double minimum = costs.minimum();
    if (minimum == 0) {
      return due;
    }
    if (costs.minimumPer() == Costs.Unit.FILL) {
      return Math.max(due, minimum);
    }
    double before = fills.commission();
    double after = Math.max(before, 0) + due;
    fills.setCommission(after);
    if (before >= minimum) {
      return due;
    }
    return Math.max(after, minimum) - (before == UNCHARGED ? 0 : minimum);
  }

  /// Returns the price of a market fill of `amount` at `tick`, and remembers how far it moved the
  /// price. Must be called for each tick in turn, even without a fill, because earlier moves fade.
  double marketPrice(Fills fills, int tick, double amount) {
    double price = fills.ticks().prices()[tick];
    double participation =
        amount > 0 ? amount / Math.max(fills.ticks().volumes()[tick], amount) : 0;
    double pushed = fills.push() * decay + push * participation;
    fills.setPush(pushed);
    if (!(amount > 0)) {
      return price;
    }
    double shift = pushed + linear * participation + squareRoot * Math.sqrt(participation);
    if (!isQuoted(fills.ticks(), fills.side(), tick)) {
      shift += halfSpread;
    }
    return moved(fills.side(), price, shift);
  }

  /// Returns what crossing the spread at `tick` would pay: the other side's quote, else the deal
  /// price and half the spread.
  double crossing(DayTicks ticks, Side side, int tick) {
    double[] quotes = others(ticks, side);
    return quotes != null && quotes[tick] > 0
        ? quotes[tick]
        : moved(side, ticks.prices()[tick], halfSpread);
  }

  private static double moved(Side side, double price, double shift) {
    return side == Side.BUY ? price * (1 + shift) : price / (1 + shift);
  }

  private static boolean isQuoted(DayTicks ticks, Side side, int tick) {
    double[] quotes = others(ticks, side);
    return quotes != null && quotes[tick] > 0;
  }

  private static double @Nullable [] others(DayTicks ticks, Side side) {
    return side == Side.BUY ? ticks.asks() : ticks.bids();
  }
}
