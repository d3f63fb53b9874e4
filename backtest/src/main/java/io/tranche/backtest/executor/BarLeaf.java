package io.tranche.backtest.executor;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.exchange.Ticket;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Takes each ticket of a step to the exchange, whole. Qlib: `SimulatorExecutor`.
final class BarLeaf implements Leaf {

  private final Account account;
  private final boolean buysFirst;
  private final Map<String, double[]> dealtToday = new HashMap<>();
  private long today = Long.MIN_VALUE;

  /// @param buysFirst whether purchases go first, so that they cannot use the money of sales. Qlib:
  ///   trade type `parallel`
  BarLeaf(Account account, boolean buysFirst) {
    this.account = account;
    this.buysFirst = buysFirst;
  }

  @Override
  public boolean dealsOnce() {
    return true;
  }

  @Override
  public List<Deal> deal(Level level, Decision decision) {
    List<Ticket> tickets = decision.tickets();
    if (tickets.isEmpty()) {
      return List.of();
    }
    long day = Math.floorDiv(level.steps().stepStart(), BarTime.SECONDS_A_DAY);
    if (day > today) {
      today = day;
      dealtToday.clear();
    }
    var deals = new ArrayList<Deal>(tickets.size());
    if (buysFirst) {
      tickets.stream()
          .filter(ticket -> ticket.side() == Side.BUY)
          .forEach(t -> deals.add(deal(level, t)));
      tickets.stream()
          .filter(ticket -> ticket.side() == Side.SELL)
          .forEach(t -> deals.add(deal(level, t)));
    } else {
      for (Ticket ticket : tickets) {
        deals.add(deal(level, ticket));
      }
    }
    return deals;
  }

  private Deal deal(Level level, Ticket ticket) {
    if (!(ticket.kind() instanceof Kind.Market)) {
      throw new IllegalArgumentException("ticket must be a market order, was " + ticket.kind());
    }
    double[] dealt = dealtToday.computeIfAbsent(ticket.instrument(), _ -> new double[1]);
    Deal deal = level.exchange().deal(ticket, account, dealt[0]);
    dealt[0] += deal.amount();
    return deal;
  }
}
