package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.exchange.Ticket;
import io.tranche.market.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is left of the tickets that a strategy splits.
final class Remaining {

  private final boolean bySide;
  private final Map<String, double[]> amounts = new HashMap<>();

  /// @param bySide false to let a purchase and a sale of one instrument share one number, that of
  ///   the last ticket, as Qlib does (quirk Q33)
  Remaining(boolean bySide) {
    this.bySide = bySide;
  }

  void begin(List<Ticket> tickets) {
    amounts.clear();
    for (Ticket ticket : tickets) {
      amounts.computeIfAbsent(ticket.instrument(), _ -> new double[2])[slot(ticket.side())] =
          ticket.amount();
    }
  }

  void take(@Nullable List<Deal> deals) {
    if (deals != null) {
      for (Deal deal : deals) {
        amounts(deal.ticket())[slot(deal.ticket().side())] -= deal.amount();
      }
    }
  }

  double of(Ticket ticket) {
    return amounts(ticket)[slot(ticket.side())];
  }

  private double[] amounts(Ticket ticket) {
    double[] known = amounts.get(ticket.instrument());
    if (known == null) {
      throw new IllegalStateException("ticket must be one of the strategy's, was " + ticket);
    }
    return known;
  }

  private int slot(Side side) {
    return bySide ? side.code() : 0;
  }
}
