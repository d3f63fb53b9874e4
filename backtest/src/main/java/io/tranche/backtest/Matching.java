package io.tranche.backtest;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.DataException;
import io.tranche.market.Side;

/// Turns a requested volume and a slice of ticks into fills. The only place where bars fill orders:
/// simulators and backtests share it.
///
/// **Market orders** are spread evenly over the ticks of the slice and trade at the deal price.
/// Ticks that cannot trade get no share: missing bars, ticks at the price limit, ticks before the
/// decision arrives. What exceeds a volume cap is not moved to other ticks; what lots round off is
/// carried to the next tick.
///
/// **Limit orders** rest with their whole volume from arrival to the end of the slice. The limit is
/// the reference price less the offset (plus, for a sale), where the reference is what was known at
/// the decision: the order's own side of the quote at the last tick before the slice, else its deal
/// price. (If the slice begins before the day's first price, that price is the reference, and the
/// order arrives after it.) The order fills, as far as cap and lots allow, at each tick that
/// reaches the limit:
///
/// - with highs and lows: where the low is below a purchase's limit, the high above a sale's; a
///   mere touch does not count, since others queue at that price;
/// - else with quotes: where the other side's quote is at the limit or better;
/// - else where the deal price is at the limit or better.
///
/// It pays its limit, except at the tick of arrival: there it may cross the spread, and pays the
/// better of the limit and the other side's quote (without quotes, the deal price and half the
/// spread).
///
/// **The last slice** of an order is worked with everything that remains ([FillRule#NATIVE]): a
/// limit order rests with it, anything else is spread. Its last tradable tick takes what is left
/// then, like a market order, as far as cap and lots allow. Whatever is left after that is not
/// filled: [#restPrice] is what it counts at.
///
/// Spread and impact move the price of market fills, tick by tick; a limit price has neither. Fees
/// are charged with each tick's fill.
///
/// Immutable and shared by all orders. Hot path: nothing here allocates, except for the first limit
/// order of a parent order whose fills had no prices of their own.
public final class Matching {

  private final Frictions frictions;
  private final FillRule rule;
  private final TickRules rules;
  private final Settlement settlement;

  private Matching(FillRule rule, Frictions frictions) {
    this.frictions = frictions;
    this.rule = rule;
    this.rules = new TickRules(frictions, rule);
    this.settlement = new Settlement(frictions.costs());
  }

  /// Matches by the native rule.
  public static Matching of(Frictions frictions) {
    return of(FillRule.NATIVE, frictions);
  }

  public static Matching of(FillRule rule, Frictions frictions) {
    return new Matching(rule, frictions);
  }

  public Frictions frictions() {
    return frictions;
  }

  /// Makes the memory for the fills of one order at the ticks from `firstTick` (inclusive) to
  /// `endTick` (exclusive).
  ///
  /// @throws DataException if a friction needs a column that `ticks` lacks
  public Fills fills(DayTicks ticks, Side side, int firstTick, int endTick) {
    if (frictions.priceLimit() < Double.POSITIVE_INFINITY && ticks.changes() == null) {
      throw new DataException(
          ticks.instrument(), "changes since the previous close, for the price limit", "none");
    }
    return new Fills(
        ticks, side, firstTick, endTick, settlement.movesPrices(), settlement.hasFees());
  }

  /// Works a child order over the ticks from `from` (inclusive) to `to` (exclusive). The slices of
  /// an order follow each other without a gap: where there is no child order, with a volume of 0.
  ///
  /// @param volume what the child order may trade; not compared with `remaining`. The native rule
  ///   ignores it in the last slice, and whether the child is a cancel
  /// @param remaining what is left of the parent order
  /// @param last whether this is the parent's last slice, in which it is to be finished
  /// @param fills where to write
  /// @return how much was filled
  public double match(
      Fills fills, Kind kind, double volume, double remaining, boolean last, int from, int to) {
    double sent = last && rule == FillRule.NATIVE ? remaining : volume;
    settlement.begin(fills);
    if (kind instanceof Kind.Limit(double offsetBps)) {
      return matchLimit(fills, offsetBps, sent, remaining, last, from, to);
    }
    if (frictions.latency() == 0 && rules.admitAll(fills.ticks())) {
      spread(fills, sent, remaining, last, from, to);
    } else {
      spreadOverTradable(fills, sent, remaining, last, from, to);
    }
    if (fills.prices() != null || fills.fees() != null) {
      settlement.settle(fills, from, to);
    }
    return Sums.sum(fills.amounts(), fills.slot(from), to - from, Gaps.SPREAD);
  }

  /// Returns the price at which an order's unfilled rest counts: that of the last tick of its
  /// window at which it could have traded, else the window's last price; NaN if it has none.
  public double restPrice(DayTicks ticks, Side side, int firstTick, int endTick) {
    for (int tick = endTick - 1; tick >= firstTick; tick--) {
      if (rules.isTradable(ticks, side, tick) && !Double.isNaN(ticks.prices()[tick])) {
        return ticks.prices()[tick];
      }
    }
    for (int tick = endTick - 1; tick >= firstTick; tick--) {
      if (!Double.isNaN(ticks.prices()[tick])) {
        return ticks.prices()[tick];
      }
    }
    return Double.NaN;
  }

  private void spread(
      Fills fills, double volume, double remaining, boolean last, int from, int to) {
    double[] amounts = fills.amounts();
    DayTicks ticks = fills.ticks();
    int first = fills.slot(from);
    int count = to - from;
    double share = volume / count;
    for (int i = 0; i < count; i++) {
      amounts[first + i] = rules.capped(ticks, from + i, share);
    }
    if (last) {
      double rest = remaining - Sums.sum(amounts, first, count, Gaps.SPREAD);
      int end = first + count - 1;
      amounts[end] = rules.capped(ticks, to - 1, amounts[end] + rest);
    }
  }

  private void spreadOverTradable(
      Fills fills, double volume, double remaining, boolean last, int from, int to) {
    double[] amounts = fills.amounts();
    DayTicks ticks = fills.ticks();
    Side side = fills.side();
    int start = from + frictions.latency();
    int count = 0;
    int lastTick = -1;
    for (int tick = from; tick < to; tick++) {
      amounts[fills.slot(tick)] = 0;
      if (tick >= start && rules.isTradable(ticks, side, tick)) {
        count++;
        lastTick = tick;
      }
    }
    double share = volume / count;
    double carried = 0;
    for (int tick = start; tick <= lastTick; tick++) {
      if (rules.isTradable(ticks, side, tick)) {
        double wanted = share + carried;
        double whole = rules.wholeLots(wanted);
        carried = wanted - whole;
        amounts[fills.slot(tick)] = rules.allowed(ticks, tick, whole);
      }
    }
    if (last && lastTick >= 0) {
      double rest = remaining - Sums.sum(amounts, fills.slot(from), to - from, Gaps.SPREAD);
      int slot = fills.slot(lastTick);
      amounts[slot] = rules.allowed(ticks, lastTick, amounts[slot] + rest);
    }
  }

  private double matchLimit(
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
    int start = Math.max(from + frictions.latency(), known + 1);
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
            paid = arrived ? limit : better(side, limit, settlement.crossing(ticks, side, tick));
          }
        }
        arrived = true;
      }
      double amount = resting;
      if (last && tick == lastTick) {
        // A sum of fills can exceed what remains by its rounding.
        amount = rules.allowed(ticks, tick, Math.max(remaining - filled, 0));
      }
      // Any volume beyond the limit order trades as a market order.
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

  private boolean isReached(DayTicks ticks, Side side, double limit, int tick) {
    double[] extremes = side == Side.BUY ? ticks.lows() : ticks.highs();
    if (extremes != null) {
      return side == Side.BUY ? extremes[tick] < limit : extremes[tick] > limit;
    }
    double offered = settlement.crossing(ticks, side, tick);
    return side == Side.BUY ? offered <= limit : offered >= limit;
  }

  private static double better(Side side, double limit, double offered) {
    return side == Side.BUY ? Math.min(limit, offered) : Math.max(limit, offered);
  }
}
