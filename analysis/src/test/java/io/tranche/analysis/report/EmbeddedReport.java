package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.OptimumBaseline;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.backtest.Frictions;
import io.tranche.env.ParallelFor;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.TickSource;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.Order;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A report of a rule on the test days of a small embedded market: nothing in it is made up.
final class EmbeddedReport {

  private static final int INSTRUMENTS = 12;
  private static final int DAYS = 150;
  private static final int BARS = 48;
  private static final LocalTime NOON = LocalTime.of(12, 0);

  private EmbeddedReport() {}

  /// @param costs a rule has none; nor the following, up to the commit
  static ReportData report(
      List<CostItem> costs,
      List<TrainingPoint> training,
      List<CheckpointScore> checkpoints,
      List<String> warnings,
      String config,
      String commit) {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(INSTRUMENTS, DAYS));
    BarSource bars = new CachedBars(market, INSTRUMENTS);
    TickSource ticks = CachedTicks.of(bars, DealPrice.CLOSE, 2 * INSTRUMENTS * DAYS);
    var simulators =
        new SimulatorFactory(
            new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.NATIVE), ticks);
    try (var parallel = new ParallelFor(1)) {
      var evaluation = new OrderPlayer(simulators, orders(market), parallel);
      Candidate<DecisionView> rule = Candidate.rule("the rule", halfDays(market));
      PolicyResults results = evaluation.run(rule);
      Yardsticks yardsticks =
          Yardsticks.of(evaluation, CategoricalInterpreter.of(CategoricalInterpreter.evenShares(4)))
              .withVwap(evaluation, bars);
      List<PolicyResults> references =
          List.of(
              yardsticks.twap(),
              Objects.requireNonNull(yardsticks.vwap()),
              OrderRow.atArrival(evaluation.orders(), ticks),
              yardsticks.bestConstant(),
              yardsticks.oracle());
      List<Comparison> comparisons =
          references.stream().map(reference -> Comparison.of(results, reference)).toList();
      return new ReportData(
          "A stopping rule on the embedded market, seed 1",
          "Half-day orders of %d instruments on the %d test days; 5-minute bars, a decision every"
                  .formatted(INSTRUMENTS, DAYS / 5)
              + " 30 minutes, no frictions. The rule knows the market’s law and sees past bars only.",
          verdict(comparisons.getFirst()),
          new ReportData.Results(
              comparisons,
              OrderRow.of(results, ticks),
              costs,
              ExampleOrder.of(evaluation, rule, results)),
          new ReportData.Learning(training, checkpoints),
          new ReportData.Origin(warnings, config, commit));
    }
  }

  private static Verdict verdict(Comparison overTwap) {
    Verdict verdict = Verdict.of(overTwap);
    return new Verdict(verdict.kind(), "The rule is " + verdict.sentence() + ".");
  }

  private static List<Order> orders(SyntheticMarket market) {
    var firstDate = market.calendar().date(Split.TEST.firstDay(DAYS));
    var orders = new ArrayList<Order>();
    for (DayOrder order : OrderGenerator.DEFAULT.generate(market)) {
      if (!order.date().isBefore(firstDate)) {
        orders.add(order.between(LocalTime.of(9, 30), LocalTime.of(11, 30)));
        orders.add(order.between(LocalTime.of(13, 0), LocalTime.of(15, 0)));
      }
    }
    return orders;
  }

  /// The best that past bars allow, for mornings and for afternoons.
  private static Baseline halfDays(SyntheticMarket market) {
    var morning =
        new OptimumBaseline(
            market, new VisibleOptimum(market, new Schedule(0, BARS / 2, BARS / 8)));
    var afternoon =
        new OptimumBaseline(
            market, new VisibleOptimum(market, new Schedule(BARS / 2, BARS, BARS / 8)));
    return view ->
        view.order().start().toLocalTime().isBefore(NOON)
            ? morning.volume(view)
            : afternoon.volume(view);
  }
}
