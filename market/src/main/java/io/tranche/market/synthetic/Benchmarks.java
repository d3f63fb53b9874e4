package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What can be won on the embedded market, computed from its bars: the hindsight oracle and the
/// visible-information optimum. Safe to use from several threads.
public final class Benchmarks {

  private final SyntheticMarket market;
  private final Schedule schedule;
  private final VisibleOptimum optimum;

  /// @throws IllegalArgumentException if the schedule reaches beyond the market's day
  public Benchmarks(SyntheticMarket market, Schedule schedule) {
    this.market = market;
    this.schedule = schedule;
    this.optimum = new VisibleOptimum(market, schedule);
  }

  public Schedule schedule() {
    return schedule;
  }

  public VisibleOptimum optimum() {
    return optimum;
  }

  /// Returns the results of a buy and a sell on every tradable day of `series`, in the order of the
  /// days.
  public List<Opportunity> opportunities(BarSeries series) {
    VisibleOptimum.Policy policy = optimum.policy(series);
    var result = new ArrayList<Opportunity>();
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      DayFrame frame = series.day(day);
      if (frame == null) {
        continue;
      }
      var window = new Window(schedule, frame);
      if (window.isTradable()) {
        for (Side side : Side.values()) {
          result.add(
              new Opportunity(
                  series.instrument(), frame.date(),
                  market.split(day), side,
                  window.advantageBps(side, policy), policy.expectedBps(frame, side),
                  window.bestStepBps(side), window.bestBarBps(side)));
        }
      }
    }
    return result;
  }

  /// As above, for all instruments. Generates one instrument at a time, so memory does not grow
  /// with the market.
  public Stream<Opportunity> opportunities() {
    return market.instruments().stream()
        .flatMap(instrument -> opportunities(market.series(instrument)).stream());
  }
}
