package io.tranche.analysis;

import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The best that a policy can do on the embedded market if it sees past bars only, as a rule that
/// executes orders like any other. It may know the law of the market because it is a yardstick, not
/// an agent. Safe to use from several threads.
public final class OptimumBaseline implements Baseline {

  private record Instrument(BarSeries series, VisibleOptimum.Policy policy) {}

  private final SyntheticMarket market;
  private final VisibleOptimum optimum;
  private final Map<String, Instrument> instruments = new ConcurrentHashMap<>();

  /// @param optimum for the window and the steps that all orders have
  public OptimumBaseline(SyntheticMarket market, VisibleOptimum optimum) {
    this.market = market;
    this.optimum = optimum;
  }

  @Override
  public double volume(DecisionView view) {
    if (view.isLastStep()) {
      return view.remaining();
    }
    Order order = view.order();
    Instrument instrument = instruments.computeIfAbsent(order.instrument(), this::instrument);
    double share = instrument.policy.share(day(instrument, order), order.side(), view.step());
    return Math.min(view.remaining(), share * order.amount());
  }

  private Instrument instrument(String code) {
    BarSeries series = market.series(code);
    return new Instrument(series, optimum.policy(series));
  }

  private static DayFrame day(Instrument instrument, Order order) {
    var calendar = instrument.series.calendar();
    int bar = calendar.ceiling(BarTime.of(order.start()));
    DayFrame day = bar < calendar.size() ? instrument.series.day(calendar.dayOfBar(bar)) : null;
    if (day == null) {
      throw new DataException(order.toString(), "a day of the embedded market", "none");
    }
    return day;
  }
}
