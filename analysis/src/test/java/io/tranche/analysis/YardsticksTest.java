package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.Frictions;
import io.tranche.env.ParallelFor;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.baseline.EvaluationPermit;
import io.tranche.execution.baseline.FrontLoadedBaseline;
import io.tranche.execution.baseline.HindsightInterpreter;
import io.tranche.execution.baseline.OraclePolicy;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.market.synthetic.Window;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class YardsticksTest {

  private static final SyntheticMarket MARKET =
      new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(12, 40).withIncidents(Incidents.NONE));
  private static final CachedBars BARS = new CachedBars(MARKET, 12);
  private static final SimulatorFactory SIMULATORS =
      new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.NATIVE)
          .over(CachedTicks.of(BARS, DealPrice.CLOSE, 2_000));
  private static final CategoricalInterpreter ACTIONS =
      CategoricalInterpreter.of(CategoricalInterpreter.evenShares(4));

  /// Every order is followed by the same order of the other side.
  private static List<Order> orders() {
    return OrderGenerator.DEFAULT.generate(BARS).stream()
        .map(order -> order.between(LocalTime.of(9, 30), LocalTime.of(15, 0)))
        .flatMap(order -> Stream.of(order, opposite(order)))
        .toList();
  }

  private static Order opposite(Order order) {
    Side side = order.side() == Side.BUY ? Side.SELL : Side.BUY;
    return new Order(order.instrument(), side, order.amount(), order.start(), order.end());
  }

  @Test
  void rulesComeOutInTheOrderOfWhatTheyKnow() {
    try (var parallel = new ParallelFor(1)) {
      var evaluation = new OrderPlayer(SIMULATORS, orders(), parallel);

      Yardsticks rules =
          Yardsticks.of(evaluation, ACTIONS)
              .withVwap(evaluation, BARS)
              .withOptimum(
                  evaluation, MARKET, new VisibleOptimum(MARKET, MARKET.wholeDay(30 * 60)));

      double optimum = Objects.requireNonNull(rules.optimum()).meanBps(null);
      assertThat(rules.twap().meanBps(null)).isCloseTo(0, within(1e-6));
      assertThat(rules.twap().completion(null)).isEqualTo(1);
      assertThat(Objects.requireNonNull(rules.vwap()).meanBps(null)).isCloseTo(0, within(1e-6));
      assertThat(rules.bestConstant().meanBps(null)).isCloseTo(0, within(1e-6));
      assertThat(optimum).isBetween(8.0, 20.0);
      assertThat(rules.oracle().meanBps(null)).isGreaterThan(3 * optimum);
      assertThat(rules.constants()).hasSize(5);
      assertThat(evaluation.putAside()).isEmpty();
    }
  }

  @Test
  void theOracleObeysTheVolumeCap() {
    double cap = 0.002; // no step can fill a whole order
    SimulatorFactory capped =
        new SimpleSimulatorConfig(30, 5, Frictions.NONE.withParticipation(cap), Dialect.NATIVE)
            .over(CachedTicks.of(BARS, DealPrice.CLOSE, 2_000));
    var permit = new EvaluationPermit("test");
    var blind =
        new Candidate<>(
            "blind",
            new HindsightInterpreter(permit),
            new VolumeInterpreter(),
            _ -> new OraclePolicy(permit, Double.POSITIVE_INFINITY));
    try (var parallel = new ParallelFor(1)) {
      var player = new OrderPlayer(capped, orders().subList(0, 100), parallel);
      PolicyResults oracle = Yardsticks.of(player, ACTIONS).oracle();

      assertThat(player.participation()).isEqualTo(cap);
      assertThat(oracle.completion(null)).isGreaterThan(player.run(blind).completion(null));
    }
  }

  @Test
  void theOptimumWinsWhatTheMarketSaysItWins() {
    var schedule = MARKET.wholeDay(30 * 60);
    var optimum = new VisibleOptimum(MARKET, schedule);
    try (var parallel = new ParallelFor(1)) {
      var evaluation = new OrderPlayer(SIMULATORS, orders(), parallel);
      PolicyResults results =
          evaluation.run(Candidate.rule("optimum", new OptimumBaseline(MARKET, optimum)));

      for (OrderResult result : results.orders().subList(0, 100)) {
        Order order = result.order();
        var series = BARS.series(order.instrument());
        DayFrame day = Objects.requireNonNull(series.day(order.date()));
        double expected =
            new Window(schedule, day).advantageBps(order.side(), optimum.policy(series));
        assertThat(result.advantageBps()).isCloseTo(expected, within(1e-6));
      }
    }
  }

  @Test
  void threadsChangeNothing() {
    var candidate = Candidate.rule("early", new FrontLoadedBaseline(2));
    try (var one = new ParallelFor(1);
        var four = new ParallelFor(4)) {
      PolicyResults alone = new OrderPlayer(SIMULATORS, orders(), one).run(candidate);
      PolicyResults together = new OrderPlayer(SIMULATORS, orders(), four).run(candidate);

      assertThat(together).isEqualTo(alone);
    }
  }

  @Test
  void anOrderThatCannotBeWorkedIsPutAsideForAll() {
    List<Order> orders = new ArrayList<>(orders().subList(0, 10));
    Order good = orders.getFirst();
    var bad = new Order(good.instrument(), Side.BUY, 0, good.start(), good.end());
    orders.add(3, bad);
    try (var parallel = new ParallelFor(1)) {
      var evaluation = new OrderPlayer(SIMULATORS, orders, parallel);

      assertThat(evaluation.orders()).hasSize(10).doesNotContain(bad);
      assertThat(evaluation.putAside().getFirst().order()).isEqualTo(bad);
      assertThat(evaluation.putAside().getFirst().reason()).contains("a positive amount");
    }
  }
}
