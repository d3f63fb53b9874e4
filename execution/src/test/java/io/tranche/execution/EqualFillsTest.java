package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.execution.RealisticSimulator.RealisticSimulatorFactory;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.testkit.Cases;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// With equal frictions it does not matter where an order is worked: the simple simulator, the
/// realistic one and the backtest fill it alike.
class EqualFillsTest {

  private static final int COUNT = Cases.count(300, 10_000);
  private static final int[] GRANULARITIES = {1, 5, 10};
  private static final int[] STEPS = {10, 30, 60};

  /// One random problem.
  private record Problem(
      RandomBars bars, int granularity, int minutes, Order order, List<Double> shares) {

    static Problem of(SplittableRandom random, double gaps) {
      int granularity = GRANULARITIES[random.nextInt(GRANULARITIES.length)];
      var bars = new RandomBars(random, Frequency.ofMinutes(granularity), gaps, Float.NaN);
      int ticks = 240 / granularity;
      int from;
      int to;
      do { // an order whose window has no bar is refused
        from = random.nextInt(ticks);
        to = random.nextInt(from, ticks) + 1;
      } while (!hasBar(bars, from, to));
      LocalDateTime start = time(bars, from);
      LocalDateTime end = time(bars, to - 1).plusMinutes(granularity);
      Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
      var order = new Order(RandomBars.STOCK, side, random.nextDouble(1, 50_000), start, end);
      List<Double> shares = random.doubles(240, 0, 1.2).boxed().toList();
      return new Problem(bars, granularity, STEPS[random.nextInt(3)], order, shares);
    }

    private static boolean hasBar(RandomBars bars, int from, int to) {
      DayFrame day = Objects.requireNonNull(bars.series(RandomBars.STOCK).day(0));
      int close = day.fieldIndex("close");
      return IntStream.range(from, to).anyMatch(tick -> !Float.isNaN(day.value(close, tick)));
    }

    private static LocalDateTime time(RandomBars bars, int tick) {
      return BarTime.dateTime(bars.calendar().time(tick));
    }

    /// Simulators exclude the end, backtests include it.
    Order closed() {
      return new Order(
          order.instrument(),
          order.side(),
          order.amount(),
          order.start(),
          order.end().minusSeconds(1));
    }

    double volume(int step, double remaining) {
      return Math.min(remaining, remaining * shares.get(step));
    }

    SimpleSimulator simple(Frictions frictions) {
      var config = new SimpleSimulatorConfig(minutes, granularity, frictions, Dialect.NATIVE);
      return new SimulatorFactory(config, CachedTicks.of(bars, DealPrice.CLOSE, 1)).create(order);
    }

    RealisticSimulator realistic(Frictions frictions) {
      var config =
          new RealisticSimulatorConfig(
              ExchangeConfig.DEFAULT,
              "1day",
              List.of(),
              Frequency.ofMinutes(minutes),
              frictions,
              granularity,
              Account.Unlimited::new,
              false);
      return new RealisticSimulatorFactory(config, QuoteSource.of(bars), 1).create(closed());
    }

    InstrumentResult backtest(Frictions frictions) {
      Baseline rule = view -> volume(view.step(), view.remaining());
      var strategy =
          PolicyStrategy.Parts.of(
              rule, new DecisionInterpreter(), new VolumeInterpreter(), granularity, false);
      var executor =
          ExecutorConfig.qlib(
                  List.of(LevelConfig.of("1day", strategy)), Frequency.ofMinutes(minutes))
              .withMatching(frictions);
      TradeRange window =
          TradeRange.between(closed().start().toLocalTime(), closed().end().toLocalTime());
      return new BacktestRun(
              BacktestConfig.of(ExchangeConfig.DEFAULT, executor, window), QuoteSource.of(bars))
          .run(RandomBars.STOCK, List.of(closed()));
    }
  }

  private static Frictions limited(Frictions frictions, SplittableRandom random) {
    return random.nextBoolean() ? frictions.withPriceLimit(0.1) : frictions;
  }

  private static ExecutionMetrics metrics(ExecutionState end) {
    return Objects.requireNonNull(end.metrics());
  }

  private static void run(SimpleSimulator simulator, Problem problem) {
    while (!simulator.isDone()) {
      ExecutionState state = simulator.state();
      simulator.step(ChildOrder.market(problem.volume(state.step(), state.remaining())));
    }
  }

  private static void run(RealisticSimulator simulator, Problem problem) {
    while (!simulator.isDone()) {
      ExecutionState state = simulator.state();
      simulator.step(ChildOrder.market(problem.volume(state.step(), state.remaining())));
    }
  }

  @Test
  void fillsDoNotDependOnWhereAnOrderIsWorked() {
    Cases.forAll(
        COUNT,
        random -> {
          Problem problem = Problem.of(random, random.nextBoolean() ? 0 : 0.1);
          Frictions frictions = limited(RandomFrictions.draw(random), random);

          SimpleSimulator simple = problem.simple(frictions);
          run(simple, problem);
          RealisticSimulator realistic = problem.realistic(frictions);
          run(realistic, problem);
          InstrumentResult backtest = problem.backtest(frictions);

          ExecutionState expected = simple.state();
          ExecutionState was = realistic.state();
          assertThat(backtest.failures()).isEmpty();
          for (int i = 0; i < realistic.fills().size(); i++) {
            assertThat(backtest.fills().get(i)).isEqualTo(realistic.fills().get(i));
          }
          assertThat(backtest.fills()).hasSameSizeAs(realistic.fills());
          int filled = 0;
          for (int row = 0; row < expected.rows(); row++) {
            assertThat(was.filled(row)).isEqualTo(expected.filled(row));
            assertThat(was.tradePrice(row)).isEqualTo((Double) expected.tradePrice(row));
            if (expected.filled(row) > 0) {
              ExchangeFill fill = backtest.fills().get(filled++);
              assertThat(fill.time()).isEqualTo(expected.ticks().time(expected.firstTick() + row));
              assertThat(fill.amount()).isEqualTo(expected.filled(row));
              assertThat(fill.price()).isEqualTo(expected.tradePrice(row));
              assertThat(fill.cost()).isEqualTo(expected.fees(row, row + 1));
            }
          }
          assertThat(backtest.fills()).hasSize(filled);
          assertThat(was.remaining()).isEqualTo(expected.remaining());
          // An order that is filled early has more rows here, so sums are made in another order.
          assertThat(metrics(was).advantageBps())
              .isCloseTo(metrics(expected).advantageBps(), within(1e-8));
        });
  }

  @Test
  void nestedExecutorsWithoutFrictionsFillLikeTheSimpleSimulator() {
    Cases.forAll(
        COUNT,
        random -> {
          Problem problem = Problem.of(random, 0);
          SimpleSimulator simple = problem.simple(Frictions.NONE);
          run(simple, problem);
          Baseline rule = view -> problem.volume(view.step(), view.remaining());
          var strategy =
              PolicyStrategy.Parts.of(
                  rule,
                  new DecisionInterpreter(),
                  new VolumeInterpreter(),
                  problem.granularity(),
                  false);
          var executor =
              ExecutorConfig.qlib(
                  List.of(
                      LevelConfig.of("1day", strategy),
                      LevelConfig.of(problem.minutes() + "min", TwapStrategy::create)),
                  Frequency.ofMinutes(problem.granularity()));
          Order order = problem.closed();
          var config =
              BacktestConfig.of(
                  ExchangeConfig.DEFAULT,
                  executor,
                  TradeRange.between(order.start().toLocalTime(), order.end().toLocalTime()));

          InstrumentResult result =
              new BacktestRun(config, QuoteSource.of(problem.bars()))
                  .run(RandomBars.STOCK, List.of(order));

          double[] amounts = new double[simple.state().ticks().count()];
          for (ExchangeFill fill : result.fills()) {
            amounts[simple.state().ticks().ceiling(fill.time())] += fill.amount();
          }
          ExecutionState expected = simple.state();
          for (int row = 0; row < expected.rows(); row++) {
            // The nested TWAP spreads a step's volume; in the last step the simple simulator
            // spreads
            // what was asked for and gives the rest to the last tick, so only earlier ones compare.
            if (row < expected.firstRow(Math.max(expected.step() - 1, 0))) {
              assertThat(amounts[expected.firstTick() + row])
                  .isCloseTo(expected.filled(row), within(2e-5 + 1e-9 * order.amount()));
            }
          }
          assertThat(result.rows().getFirst().line().fillRate()).isCloseTo(1, within(1e-6));
        });
  }
}
