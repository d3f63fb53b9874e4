package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.Frictions;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streamed decisions are those of a backtest on the embedded market, to the last bit.
class BacktestParityTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decisionsAreThoseOfABacktest(boolean mirrors) {
    ModelSpec plain = TestModel.plainSpec();
    ModelSpec spec = TestModel.over(plain, plain.session(), plain.frequency(), 30, mirrors);
    BarSource bars = market(spec);
    String instrument = bars.instruments().getFirst();
    Set<Integer> choices = new HashSet<>();
    int tries = Cases.count(15, 300);
    for (int i = 0; i < tries; i++) {
      var random = new SplittableRandom(i);
      TestModel model = TestModel.draw(spec, 1, i);
      var day = new TestDay(spec, instrument, random);
      Order order = day.draw(random);
      var decided = new ArrayList<PolicyStrategy.Detail>();
      InstrumentResult result = backtest(model, day, bars, order, decided);
      assertThat(result.failures()).isEmpty();

      DecisionRuntime runtime = model.newRuntime();
      LiveDay live = day.open(runtime);
      LiveOrder streamed =
          live.openOrder("1", order.side(), order.amount(), order.start(), order.end());
      int step = 0;
      for (int tick = 0; tick < day.count(); tick++) {
        if (streamed.isDue()) {
          PolicyStrategy.Detail detail = decided.get(step++);
          streamed.decide();
          assertThat(detail.time()).isEqualTo(day.times[tick - tick % 30]);
          assertThat(streamed.choice()).isEqualTo((int) detail.action().number());
          choices.add(streamed.choice());
          if (streamed.nextTick() < live.ceiling(BarTime.of(order.end()))) {
            assertThat(streamed.volume()).isEqualTo(detail.volume());
            streamed.fill(filled(result.fills(), live, tick, streamed.nextTick()), 10);
          } else {
            assertThat(streamed.volume()).isEqualTo(streamed.remaining());
          }
        }
        live.bar(day.times[tick], day.bar(tick));
      }
      if (streamed.status() == Status.DONE) {
        // A backtest goes on asking for orders that have nothing left.
        assertThat(decided.subList(step, decided.size()))
            .allSatisfy(detail -> assertThat(detail.volume()).isZero());
      } else {
        assertThat(step).isEqualTo(decided.size());
      }
    }
    assertThat(choices).hasSizeGreaterThan(1);
  }

  private static BarSource market(ModelSpec spec) {
    int days = 2; // the last day of a calendar cannot be traded
    return new SyntheticMarket(
        SyntheticConfig.DEFAULT
            .withSize(1, days)
            .withFirstDate(TestDay.DATE)
            .withBars(spec.session(), spec.frequency())
            .withIncidents(Incidents.NONE));
  }

  private static InstrumentResult backtest(
      TestModel model,
      TestDay day,
      BarSource bars,
      Order order,
      List<PolicyStrategy.Detail> details) {
    ModelSpec spec = model.spec();
    var sided = spec.mirrors() ? SidedFeatures.mirrored(day, 4) : SidedFeatures.alike(day);
    var states =
        new FullHistoryInterpreter(
            spec.maxSteps(), day.count(), TestModel.COLUMNS.today().size(), sided);
    var strategy =
        new PolicyStrategy.Parts<FullHistoryObservation>(
            model.agents().getFirst().newPolicy(1),
            states,
            model.actions(),
            1,
            false,
            0,
            details::add);
    var executor =
        ExecutorConfig.qlib(
                List.of(LevelConfig.of("1day", strategy)), Frequency.ofMinutes(spec.ticksPerStep()))
            .withMatching(Frictions.NONE.withParticipation(0.0001));
    // Backtests include the end.
    var closed =
        new Order(
            order.instrument(),
            order.side(),
            order.amount(),
            order.start(),
            order.end().minusSeconds(1));
    TradeRange window =
        TradeRange.between(closed.start().toLocalTime(), closed.end().toLocalTime());
    return new BacktestRun(
            BacktestConfig.of(ExchangeConfig.DEFAULT, executor, window), QuoteSource.of(bars))
        .run(order.instrument(), List.of(closed));
  }

  /// Returns what was dealt from tick `from` to tick `to`, added up as simulators do.
  private static double filled(List<ExchangeFill> fills, LiveDay day, int from, int to) {
    double[] amounts = new double[to - from];
    for (ExchangeFill fill : fills) {
      int tick = day.ceiling(fill.time());
      if (tick >= from && tick < to) {
        amounts[tick - from] += fill.amount();
      }
    }
    return Sums.sum(amounts, 0, amounts.length, Gaps.SPREAD);
  }
}
