package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.Ticket;
import io.tranche.backtest.executor.Decision;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Trades evenly over the steps of its range and catches up with what earlier steps left undone.
/// Qlib: `TWAPStrategy`.
///
/// Amounts are rounded to the nearest trade unit; the last step takes all that remains.
public final class TwapStrategy implements Strategy {

  /// Amounts up to this are not worth a ticket.
  static final double NOTHING = 1e-5;

  private final Remaining remaining;
  private double[] units = {}; // of the tickets above

  private TwapStrategy(boolean bySide) {
    this.remaining = new Remaining(bySide);
  }

  public static TwapStrategy create() {
    return new TwapStrategy(true);
  }

  /// Returns Qlib's: two tickets for one instrument share what remains (quirk Q33).
  public static TwapStrategy asQlib() {
    return new TwapStrategy(false);
  }

  @Override
  public void begin(Level level) {
    List<Ticket> tickets = level.outer().tickets();
    remaining.begin(tickets);
    units = new double[tickets.size()];
    for (int i = 0; i < units.length; i++) {
      Ticket ticket = tickets.get(i);
      units[i] = level.exchange().tradeUnit(ticket.instrument(), ticket.start(), ticket.end());
    }
  }

  @Override
  public Decision decide(Level level, @Nullable List<Deal> last) {
    remaining.take(last);
    StepCalendar steps = level.steps();
    Exchange exchange = level.exchange();
    int count = level.lastStep() - level.firstStep() + 1;
    int step = steps.step() - level.firstStep();
    long start = steps.stepStart();
    long end = steps.stepEnd();
    List<Ticket> outer = level.outer().tickets();
    var tickets = new ArrayList<Ticket>(outer.size());
    for (int i = 0; i < units.length; i++) {
      Ticket ticket = outer.get(i);
      // Whether it is blocked by a limit is not known yet.
      if (!exchange.isSuspended(ticket.instrument(), start, end)) {
        double amount = amount(ticket, units[i], step, count);
        if (amount > NOTHING) {
          tickets.add(Ticket.market(ticket.instrument(), ticket.side(), amount, start, end));
        }
      }
    }
    return Decision.of(tickets);
  }

  private double amount(Ticket ticket, double unit, int step, int count) {
    double left = remaining.of(ticket);
    if (step == count - 1) {
      return left;
    }
    double expected = ticket.amount() / count * (step + 1);
    double due = expected - (ticket.amount() - left);
    return unit == 0 ? due : Math.min(Math.rint(due / unit) * unit, left);
  }
}
