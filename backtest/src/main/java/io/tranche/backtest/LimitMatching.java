package io.tranche.backtest;

import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.Side;

/// Fills limit orders, by the rule that [Matching] states.
final class LimitMatching {

  private final FillRules rules;
  private final Settlement settlement;
  private final int latency;

  LimitMatching(FillRules rules, Settlement settlement, int latency) {
    this.rules = rules;
    this.settlement = settlement;
    this.latency = latency;
  }

  double match(
      Fills fills,
      double offsetBps,
      double volume,
      double remaining,
      boolean last,
      int from,
      int to) {
    DayTicks ticks = fills.ticks();
    Side side = fills.side();
    double[] amounts = fills.amounts();
    double[] prices = fills.pricesFrom(from);
    int known = lastPriced(ticks, from);
    int start = Math.max(from + latency, known + 1);
    double limit = limit(ticks, side, offsetBps, known);
    int lastTick = lastTradable(ticks, side, start, to);

    double filled = 0;
    boolean arrived = false;
    for (int tick = from; tick < to; tick++) {
      double resting = 0;
      double paid = ticks.prices()[tick];
      if (tick >= start && rules.isTradable(ticks, side, tick)) {
        if (isReached(ticks, side, limit, tick)) {
          resting = rules.allowed(ticks, tick, Math.max(volume - filled, 0));
          if (resting > 0) {
            paid = arrived ? limit : better(side, limit, crossing(ticks, side, tick));
          }
        }
        arrived = true;
      }
      double amount = resting;
      if (last && tick == lastTick) {
        amount = rules.allowed(ticks, tick, remaining - filled);
      }
      // Whatever goes beyond the limit order is a market order.
      double market = settlement.marketPrice(fills, tick, amount - resting);
      int slot = fills.slot(tick);
      amounts[slot] = amount;
      prices[slot] =
          amount > resting ? (resting * paid + (amount - resting) * market) / amount : paid;
      filled += amount;
    }
    settlement.charge(fills, prices, from, to);
    return Sums.sum(amounts, fills.slot(from), to - from, Gaps.SPREAD);
  }

  /// Returns the last tick before `from` that has a price; if there is none, the first that has.
  private static int lastPriced(DayTicks ticks, int from) {
    for (int tick = from - 1; tick >= 0; tick--) {
      if (!Double.isNaN(ticks.prices()[tick])) {
        return tick;
      }
    }
    int tick = from;
    while (tick < ticks.count() - 1 && Double.isNaN(ticks.prices()[tick])) {
      tick++;
    }
    return tick;
  }

  private int lastTradable(DayTicks ticks, Side side, int from, int to) {
    for (int tick = to - 1; tick >= from; tick--) {
      if (rules.isTradable(ticks, side, tick)) {
        return tick;
      }
    }
    return -1;
  }

  private static double limit(DayTicks ticks, Side side, double offsetBps, int known) {
    double[] quotes = side == Side.BUY ? ticks.bids() : ticks.asks();
    double reference = quotes == null ? Double.NaN : quotes[known];
    if (!(reference > 0)) {
      reference = ticks.prices()[known];
    }
    return reference * (1 - side.sign() * offsetBps / 10_000);
  }

  private static boolean isReached(DayTicks ticks, Side side, double limit, int tick) {
    double[] extremes = side == Side.BUY ? ticks.lows() : ticks.highs();
    if (extremes != null) {
      return side == Side.BUY ? extremes[tick] < limit : extremes[tick] > limit;
    }
    double offered = crossing(ticks, side, tick);
    return side == Side.BUY ? offered <= limit : offered >= limit;
  }

  /// Returns what crossing the spread at `tick` would pay.
  private static double crossing(DayTicks ticks, Side side, int tick) {
    double[] quotes = side == Side.BUY ? ticks.asks() : ticks.bids();
    return quotes != null && quotes[tick] > 0 ? quotes[tick] : ticks.prices()[tick];
  }

  private static double better(Side side, double limit, double offered) {
    return side == Side.BUY ? Math.min(limit, offered) : Math.max(limit, offered);
  }
}
