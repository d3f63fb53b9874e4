package io.tranche.cli.replay;

import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.order.NamedOrder;
import io.tranche.serving.Latency;
import io.tranche.work.decide.DecideRun;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.OrderReplayListener;
import io.tranche.work.decide.Pace;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

  /// Measures how long decisions take: from asking until the answer is there.
  ///
  /// @param isBatched whether those of a tick are asked for together, so that each takes as long as
  ///   all of them
  record TimedDecisions(DecisionMaker maker, boolean isBatched, Latency latency)
      implements DecisionMaker {

    @Override
    public List<Child> decide(List<Due> due) {
      if (isBatched) {
        return timed(due);
      }
      var children = new ArrayList<Child>();
      due.forEach(each -> children.addAll(timed(List.of(each))));
      return children;
    }

    private List<Child> timed(List<Due> due) {
      long began = System.nanoTime();
      List<Child> children = maker.decide(due);
      long took = System.nanoTime() - began;
      due.forEach(_ -> latency.record(took));
      return children;
    }

    @Override
    public Wants wants() {
      return maker.wants();
    }

    @Override
    public void openDay(String instrument, LocalDate date, long[] times, List<DayFrame> earlier) {
      maker.openDay(instrument, date, times, earlier);
    }

    @Override
    public Terms openOrder(NamedOrder named, LocalDate date) {
      return maker.openOrder(named, date);
    }

    @Override
    public void bars(List<Bar> bars) {
      maker.bars(bars);
    }

    @Override
    public void fill(List<Fill> fills) {
      maker.fill(fills);
    }

    @Override
    public void closeDay(String instrument, LocalDate date) {
      maker.closeDay(instrument, date);
    }
  }
}
