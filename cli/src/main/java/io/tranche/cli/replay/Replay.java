package io.tranche.cli.replay;

import io.tranche.market.BarSource;
import io.tranche.market.order.NamedOrder;
import io.tranche.work.decide.DecideRun;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.OrderReplayListener;
import io.tranche.work.decide.Pace;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/// Plays orders on bars to a target.
///
/// @param tally counts; receives decisions and other events through `listener`
/// @param goesOn whether to start again when the bars end
public record Replay(
    ReplayTarget target,
    List<NamedOrder> orders,
    ReplayTally tally,
    OrderReplayListener listener,
    Pace pace,
    BooleanSupplier goesOn) {

  private static final int DAYS_A_WEEK = 7;

  public Replay {
    orders = List.copyOf(orders);
  }

  /// @param where where the bars come from, for errors
  /// @throws io.tranche.market.DataException if bars, orders and target do not fit together, or the
  ///   target is gone
  public void over(String where, BarSource bars) {
    long weeks = weeks();
    do {
      DecisionMaker maker = target.maker(tally.passes(), weeks);
      tally.pass();
      var timed = new TimedDecisions(maker, target.isBatched(), tally.latency());
      new DecideRun(timed, orders, null, listener).over(where, bars, pace);
    } while (goesOn.getAsBoolean());
  }

  /// Returns how many weeks the orders span, so that days can be moved and keep their weekdays.
  private long weeks() {
    var dates = new TreeSet<LocalDate>();
    orders.forEach(
        each ->
            dates.addAll(
                List.of(each.order().start().toLocalDate(), each.order().end().toLocalDate())));
    long days = ChronoUnit.DAYS.between(dates.first(), dates.last()) + 1;
    // One more: a night session's trading day may be days after its order's start.
    return Math.ceilDiv(days, DAYS_A_WEEK) + 1;
  }
}
