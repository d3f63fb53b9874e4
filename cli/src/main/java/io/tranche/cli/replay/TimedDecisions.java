package io.tranche.cli.replay;

import io.tranche.market.DayFrame;
import io.tranche.market.order.NamedOrder;
import io.tranche.serving.Latency;
import io.tranche.work.decide.DecisionMaker;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/// Measures how long decisions take: from asking until the answer is there.
///
/// @param isBatched whether those of a tick are asked for together, so that each takes as long as
///   all of them
public record TimedDecisions(DecisionMaker maker, boolean isBatched, Latency latency)
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
  public void openDay(String instrument, LocalDate date, List<DayFrame> earlier) {
    maker.openDay(instrument, date, earlier);
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
