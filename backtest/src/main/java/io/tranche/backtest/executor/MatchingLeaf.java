package io.tranche.backtest.executor;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Matching;
import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Works each order over the bars of its step with the matching core of the simulators, so that
/// fills are equal to the last bit.
///
/// The last step of the trading range fills whatever is left of the parent order, the order of the
/// outermost decision.
final class MatchingLeaf implements Leaf {

  /// The fraction of an order below which a remainder counts as none; as in simulators.
  private static final double NEGLIGIBLE = 1e-9;

  private record Key(String instrument, Side side) {}

  /// An order of the current day while it is worked.
  private static final class Worked {
    final DayTicks ticks;
    final Fills fills;
    final ParentOrder parent;
    int next = -1; // the tick after the last one worked

    Worked(DayTicks ticks, Fills fills, double amount) {
      this.ticks = ticks;
      this.fills = fills;
      this.parent = new ParentOrder(amount, NEGLIGIBLE * amount);
    }
  }

  private final Matching matching;
  private final Level outermost;
  private final Map<Key, Worked> day = new HashMap<>();
  private long today = Long.MIN_VALUE;

  MatchingLeaf(Matching matching, Level outermost) {
    this.matching = matching;
    this.outermost = outermost;
  }

  @Override
  public boolean fillsOnce() {
    return false;
  }

  @Override
  public List<ExchangeFill> fill(Level level, TradeDecision decision) {
    long start = outermost.steps().stepStart();
    if (start != today) {
      today = start;
      day.clear();
    }
    StepCalendar steps = level.steps();
    boolean last = steps.step() == decision.lastStep(steps);
    var fills = new ArrayList<ExchangeFill>();
    for (ExchangeOrder child : decision.orders()) {
      Worked order =
          day.computeIfAbsent(new Key(child.instrument(), child.side()), _ -> work(level, child));
      work(order, child, decision.range(), steps, last, fills);
    }
    return fills;
  }

  private Worked work(Level level, ExchangeOrder first) {
    Quotes quotes = level.exchange().quotes(first.instrument());
    ExchangeOrder parent = parent(first);
    int from = quotes == null ? 0 : quotes.from(parent.start());
    int to = quotes == null ? 0 : quotes.to(parent.end());
    if (quotes == null || from >= to) {
      throw new DataException(
          parent.toString(), "bars of the instrument on the order's day", "none");
    }
    DayTicks ticks = quotes.ticks(first.side(), from, to);
    return new Worked(
        ticks, matching.fills(ticks, first.side(), 0, ticks.count()), parent.amount());
  }

  private ExchangeOrder parent(ExchangeOrder child) {
    ExchangeOrder parent = null;
    for (ExchangeOrder order : outermost.currentDecision().orders()) {
      if (order.instrument().equals(child.instrument()) && order.side() == child.side()) {
        parent = order;
      }
    }
    return Objects.requireNonNull(parent, "strategies split the orders they were given");
  }

  private void work(
      Worked order,
      ExchangeOrder child,
      @Nullable TradeRange range,
      StepCalendar steps,
      boolean last,
      List<ExchangeFill> fills) {
    long start = steps.stepStart();
    long end = steps.stepEnd();
    int from = order.ticks.ceiling(range == null ? start : range.clipStart(start));
    int to = order.ticks.ceiling((range == null ? end : range.clipEnd(start, end)) + 1);
    ParentOrder parent = order.parent;
    if (from >= to || parent.status().isFinal()) {
      return;
    }
    order.ticks.requireClean(child::toString, from, to);
    double before = parent.remaining();
    if (order.next >= 0 && order.next < from) {
      // Steps without an order: nothing trades, but the impact of earlier fills fades.
      matching.match(order.fills, Kind.MARKET, 0, before, false, order.next, from);
    }
    order.next = to;
    double volume = Math.min(child.amount(), before);
    parent.submit(last ? before : volume);
    parent.fill(matching.match(order.fills, child.kind(), volume, before, last, from, to));
    parent.withdraw();
    double[] prices = order.fills.prices();
    double[] fees = order.fills.fees();
    for (int tick = from; tick < to; tick++) {
      double amount = order.fills.amounts()[tick];
      if (amount > 0) {
        double price = prices == null ? order.ticks.price(tick) : prices[tick];
        fills.add(
            new ExchangeFill(
                bar(child, order.ticks, tick, amount),
                order.ticks.time(tick),
                amount,
                price,
                amount * price,
                fees == null ? 0 : fees[tick],
                Double.NaN));
      }
    }
  }

  private static ExchangeOrder bar(ExchangeOrder child, DayTicks ticks, int tick, double amount) {
    long start = ticks.time(tick);
    long end =
        tick + 1 < ticks.count()
            ? ticks.time(tick + 1) - 1
            : start - BarTime.secondOfDay(start) + BarTime.SECONDS_A_DAY - 1;
    return child.child(amount, start, end, child.kind());
  }
}
