package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a strategy wants in one step: tickets for the level below. Qlib: `TradeDecisionWO`.
///
/// @param range when they may be executed; null to keep to the range of the decision above
public record Decision(List<Ticket> tickets, @Nullable TradeRange range) {

  /// Amounts up to this are nothing to execute.
  private static final double NOTHING = 1e-6;

  public static final Decision EMPTY = new Decision(List.of(), null);

  public Decision {
    tickets = List.copyOf(tickets);
  }

  public static Decision of(List<Ticket> tickets) {
    return new Decision(tickets, null);
  }

  Decision within(@Nullable TradeRange outer) {
    return range == null && outer != null ? new Decision(tickets, outer) : this;
  }

  /// Whether there is nothing to execute.
  public boolean isEmpty() {
    for (Ticket ticket : tickets) {
      if (ticket.amount() > NOTHING) {
        return false;
      }
    }
    return true;
  }

  int firstStep(StepCalendar steps) {
    return range == null ? 0 : range.firstStep(steps);
  }

  int lastStep(StepCalendar steps) {
    return range == null ? steps.count() - 1 : range.lastStep(steps);
  }
}
