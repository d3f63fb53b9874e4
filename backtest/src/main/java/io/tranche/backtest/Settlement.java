package io.tranche.backtest;

import io.tranche.market.Side;

/// The prices and costs of fills: impact and fees.
///
/// Hot path: allocates nothing.
final class Settlement {

  private final Costs costs;
  private final double linear;
  private final double squareRoot;
  private final double push;
  private final double decay;

  Settlement(Frictions frictions) {
    double linearSum = 0;
    double squareRootSum = 0;
    double transientPush = 0;
    double transientDecay = 0;
    for (Impact impact : frictions.impacts()) {
      switch (impact) {
        case Impact.Linear(double coefficient) -> linearSum += coefficient;
        case Impact.SquareRoot(double coefficient) -> squareRootSum += coefficient;
        case Impact.Transient(double coefficient, double left) -> {
          transientPush = coefficient;
          transientDecay = left;
        }
      }
    }
    this.costs = frictions.costs();
    this.linear = linearSum;
    this.squareRoot = squareRootSum;
    this.push = transientPush;
    this.decay = transientDecay;
  }

  boolean hasImpact() {
    return linear > 0 || squareRoot > 0 || push > 0;
  }

  boolean hasFees() {
    return !costs.equals(Costs.NONE);
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
        fees[slot] = costs.of(fills.side(), price * amount);
      }
    }
  }

  /// Charges the fills of the ticks from `from` to `to`, whose prices are known.
  void charge(Fills fills, double[] prices, int from, int to) {
    double[] fees = fills.fees();
    if (fees != null) {
      for (int slot = fills.slot(from); slot < fills.slot(to); slot++) {
        fees[slot] = costs.of(fills.side(), prices[slot] * fills.amounts()[slot]);
      }
    }
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
    return fills.side() == Side.BUY ? price * (1 + shift) : price / (1 + shift);
  }
}
