package io.tranche.backtest.executor;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Matching;
import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.backtest.exchange.Ticket;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Works each ticket over the bars of its step with the matching core that simulators use, so that
/// fills are theirs to the last bit.
///
/// In the last step of the trading range whatever is left of the parent order, as the outermost
/// decision has it, is finished.
final class MatchingLeaf implements Leaf {

  private static final Kind MARKET = ChildOrder.market(0).kind();

  /// What remainder counts as none, as a fraction of the order; as in simulators.
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
  public boolean dealsOnce() {
    return false;
  }

  @Override
  public List<Deal> deal(Level level, Decision decision) {
    long start = outermost.steps().stepStart();
    if (start != today) {
      today = start;
      day.clear();
    }
    StepCalendar steps = level.steps();
    boolean last = steps.step() == decision.lastStep(steps);
    var deals = new ArrayList<Deal>();
    for (Ticket ticket : decision.tickets()) {
      Worked order =
          day.computeIfAbsent(
              new Key(ticket.instrument(), ticket.side()), _ -> work(level, ticket));
      work(order, ticket, decision.range(), steps, last, deals);
    }
    return deals;
  }

  private Worked work(Level level, Ticket first) {
    Quotes quotes = level.exchange().quotes(first.instrument());
    Ticket parent = parent(first);
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

  private Ticket parent(Ticket ticket) {
    Ticket parent = null;
    for (Ticket order : outermost.currentDecision().tickets()) {
      if (order.instrument().equals(ticket.instrument()) && order.side() == ticket.side()) {
        parent = order;
      }
    }
    return Objects.requireNonNull(parent, "strategies split the tickets they were given");
  }

  private void work(
      Worked order,
      Ticket ticket,
      @Nullable TradeRange range,
      StepCalendar steps,
      boolean last,
      List<Deal> deals) {
    long start = steps.stepStart();
    long end = steps.stepEnd();
    int from = order.ticks.ceiling(range == null ? start : range.clipStart(start));
    int to = order.ticks.ceiling((range == null ? end : range.clipEnd(start, end)) + 1);
    ParentOrder parent = order.parent;
    if (from >= to || parent.status().isFinal()) {
      return;
    }
    order.ticks.requireClean(ticket::toString, from, to);
    double before = parent.remaining();
    if (order.next >= 0 && order.next < from) {
      // Steps without a ticket: nothing trades, but what earlier fills did to the price fades.
      matching.match(order.fills, MARKET, 0, before, false, order.next, from);
    }
    order.next = to;
    double volume = Math.min(ticket.amount(), before);
    parent.submit(last ? before : volume);
    parent.fill(matching.match(order.fills, ticket.kind(), volume, before, last, from, to));
    parent.withdraw();
    double[] prices = order.fills.prices();
    double[] fees = order.fills.fees();
    for (int tick = from; tick < to; tick++) {
      double amount = order.fills.amounts()[tick];
      if (amount > 0) {
        double price = prices == null ? order.ticks.price(tick) : prices[tick];
        deals.add(
            new Deal(
                bar(ticket, order.ticks, tick, amount),
                order.ticks.time(tick),
                amount,
                price,
                amount * price,
                fees == null ? 0 : fees[tick],
                Double.NaN));
      }
    }
  }

  private static Ticket bar(Ticket ticket, DayTicks ticks, int tick, double amount) {
    long start = ticks.time(tick);
    long end =
        tick + 1 < ticks.count()
            ? ticks.time(tick + 1) - 1
            : start - BarTime.secondOfDay(start) + BarTime.SECONDS_A_DAY - 1;
    return new Ticket(ticket.instrument(), ticket.side(), amount, start, end, ticket.kind());
  }
}
