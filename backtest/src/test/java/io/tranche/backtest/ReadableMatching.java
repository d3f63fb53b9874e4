package io.tranche.backtest;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The rule of [Matching] once more, written for the reader: lists and records, one fill a tick.
final class ReadableMatching {

  /// What happened at one tick.
  record Fill(int tick, double amount, double price, double fee) {}

  private final Frictions frictions;
  private final DayTicks ticks;
  private final Side side;
  private double push;
  private double due; // the commission so far of what a minimum is charged for
  private double charged;

  ReadableMatching(Frictions frictions, DayTicks ticks, Side side) {
    this.frictions = frictions;
    this.ticks = ticks;
    this.side = side;
  }

  List<Fill> match(Kind kind, double volume, double remaining, boolean last, int from, int to) {
    if (frictions.costs().minimumPer() == Costs.Unit.CHILD) {
      due = 0;
      charged = 0;
    }
    double sent = last ? remaining : volume;
    return switch (kind) {
      case Kind.Limit(double offsetBps) -> limit(offsetBps, sent, remaining, last, from, to);
      case Kind.Market(), Kind.Cancel() -> market(sent, remaining, last, from, to);
    };
  }

  private List<Fill> market(double volume, double remaining, boolean last, int from, int to) {
    List<Integer> tradable = tradable(from + frictions.latency(), to);
    double[] amounts = new double[to - from];
    double carried = 0;
    for (int tick : tradable) {
      double wanted = volume / tradable.size() + carried;
      carried = wanted - lots(wanted);
      amounts[tick - from] = lots(cap(tick, lots(wanted)));
    }
    if (last && !tradable.isEmpty()) {
      int tick = tradable.getLast();
      double missing = remaining - Sums.sum(amounts, 0, amounts.length, Gaps.SPREAD);
      amounts[tick - from] = lots(cap(tick, Math.max(amounts[tick - from] + missing, 0)));
    }
    var fills = new ArrayList<Fill>();
    for (int tick = from; tick < to; tick++) {
      double amount = amounts[tick - from];
      double price = marketPrice(tick, amount);
      fills.add(new Fill(tick, amount, price, fee(price * amount)));
    }
    return fills;
  }

  private List<Fill> limit(
      double offsetBps, double volume, double remaining, boolean last, int from, int to) {
    int known =
        IntStream.range(0, from)
            .filter(tick -> !Double.isNaN(ticks.price(tick)))
            .max()
            .orElseGet(
                () ->
                    IntStream.range(from, ticks.count())
                        .filter(tick -> !Double.isNaN(ticks.price(tick)))
                        .findFirst()
                        .orElse(ticks.count() - 1));
    double touch = quote(side == Side.BUY ? ticks.bids() : ticks.asks(), known);
    double limit = touch * (1 - side.sign() * offsetBps / 10_000);
    List<Integer> tradable = tradable(Math.max(from + frictions.latency(), known + 1), to);

    var fills = new ArrayList<Fill>();
    double filled = 0;
    for (int tick = from; tick < to; tick++) {
      double resting = 0;
      double paid = ticks.price(tick);
      if (tradable.contains(tick) && isReached(limit, tick)) {
        resting = lots(cap(tick, Math.max(volume - filled, 0)));
      }
      if (resting > 0) {
        paid = tick == tradable.getFirst() ? better(limit, otherSide(tick)) : limit;
      }
      boolean clears = last && !tradable.isEmpty() && tick == tradable.getLast();
      double amount = clears ? lots(cap(tick, Math.max(remaining - filled, 0))) : resting;
      double beyond = amount - resting;
      double market = marketPrice(tick, beyond);
      double price = beyond > 0 ? (resting * paid + beyond * market) / amount : paid;
      fills.add(new Fill(tick, amount, price, fee(price * amount)));
      filled += amount;
    }
    return fills;
  }

  /// Returns what a fill of `value` adds to the fees, which are the larger of the minimum and the
  /// commission so far, and the taxes.
  private double fee(double value) {
    if (!(value > 0)) {
      return 0;
    }
    Costs costs = frictions.costs();
    double tax = value * (side == Side.BUY ? costs.buyTax() : costs.sellTax());
    double commission = value * costs.commission();
    if (costs.minimum() == 0 || charged > costs.minimum()) {
      return commission + tax;
    }
    if (costs.minimumPer() == Costs.Unit.FILL) {
      return Math.max(commission, costs.minimum()) + tax;
    }
    due += commission;
    double owed = Math.max(due, costs.minimum());
    double added = owed - charged;
    charged = owed;
    return added + tax;
  }

  private List<Integer> tradable(int from, int to) {
    return IntStream.range(from, to)
        .filter(tick -> !ticks.isMissing(tick))
        .filter(tick -> !isBlocked(tick))
        .boxed()
        .toList();
  }

  private boolean isBlocked(int tick) {
    double[] changes = ticks.changes();
    return changes != null && side.sign() * changes[tick] >= frictions.priceLimit();
  }

  private double cap(int tick, double amount) {
    return Double.isInfinite(frictions.participation())
        ? amount
        : Math.min(amount, frictions.participation() * ticks.volume(tick));
  }

  private double lots(double amount) {
    double lot = frictions.lot();
    return lot == 0 ? amount : Math.floor(amount / lot + 1e-9) * lot;
  }

  private double marketPrice(int tick, double amount) {
    double participation = amount > 0 ? amount / Math.max(ticks.volume(tick), amount) : 0;
    double linear = 0;
    double squareRoot = 0;
    double decay = 0;
    double pushed = 0;
    for (Impact impact : frictions.costs().impacts()) {
      switch (impact) {
        case Impact.Linear(double coefficient) -> linear = coefficient * participation;
        case Impact.SquareRoot(double coefficient) ->
            squareRoot = coefficient * Math.sqrt(participation);
        case Impact.Transient(double coefficient, double left) -> {
          decay = left;
          pushed = coefficient * participation;
        }
      }
    }
    push = push * decay + pushed;
    double[] quotes = side == Side.BUY ? ticks.asks() : ticks.bids();
    double moved = push + linear + squareRoot;
    if (quotes == null || !(quotes[tick] > 0)) {
      moved += halfSpread();
    }
    return amount > 0 ? moved(ticks.price(tick), moved) : ticks.price(tick);
  }

  private boolean isReached(double limit, int tick) {
    double[] extremes = side == Side.BUY ? ticks.lows() : ticks.highs();
    return extremes == null
        ? side.sign() * (limit - otherSide(tick)) >= 0
        : side.sign() * (limit - extremes[tick]) > 0;
  }

  private double halfSpread() {
    return frictions.costs().halfSpreadBps() / 10_000;
  }

  private double moved(double price, double by) {
    return side == Side.BUY ? price * (1 + by) : price / (1 + by);
  }

  private double otherSide(int tick) {
    double[] quotes = side == Side.BUY ? ticks.asks() : ticks.bids();
    return quotes != null && quotes[tick] > 0
        ? quotes[tick]
        : moved(ticks.price(tick), halfSpread());
  }

  private double quote(double @Nullable [] quotes, int tick) {
    return quotes != null && quotes[tick] > 0 ? quotes[tick] : ticks.price(tick);
  }

  private double better(double one, double other) {
    return side == Side.BUY ? Math.min(one, other) : Math.max(one, other);
  }
}
