package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.execution.RealisticSimulator.RealisticSimulatorFactory;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RealisticSimulatorTest {

  private static final LocalDateTime START = RandomBars.FIRST.atTime(9, 30);
  private static final Order ORDER =
      new Order(RandomBars.STOCK, Side.BUY, 800, START, RandomBars.FIRST.atTime(14, 59));

  private static RealisticSimulatorFactory factory(
      @Nullable Frictions matching, List<LevelConfig> below, Frequency leaf, boolean qlib) {
    var bars = new RandomBars(new SplittableRandom(5), Frequency.ofMinutes(5), 0, Float.NaN);
    var config =
        new RealisticSimulatorConfig(
            ExchangeConfig.DEFAULT, "1day", below, leaf, matching, 5, Account.Unlimited::new, qlib);
    return new RealisticSimulatorFactory(config, QuoteSource.of(bars), 4);
  }

  private static RealisticSimulatorFactory nested() {
    return nested(false);
  }

  private static RealisticSimulatorFactory nested(boolean qlib) {
    return factory(
        null, List.of(LevelConfig.of("30min", TwapStrategy::create)), Frequency.ofMinutes(5), qlib);
  }

  @Test
  void stopsAtEachQuestion() {
    RealisticSimulator simulator = nested().create(ORDER);

    assertThat(simulator.state().step()).isZero();
    assertThat(simulator.fills()).isEmpty();
    simulator.step(ChildOrder.market(60));

    assertThat(simulator.fills()).hasSize(6);
    assertThat(simulator.state().step()).isEqualTo(1);
    assertThat(simulator.state().remaining()).isCloseTo(740, within(1e-9));
    assertThat(simulator.state().tick()).isEqualTo(6);
    assertThat(simulator.state().ticksPerStep()).isEqualTo(6);
    assertThat(simulator.isDone()).isFalse();
  }

  @Test
  void logsTheMetricsOfAFinishedOrder() {
    var log = new LogCollector(LogLevel.DEBUG);
    RealisticSimulator simulator = nested().create(ORDER, EnvContext.outside(log));
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(simulator.state().remaining() / 2));
    }

    ExecutionMetrics metrics = Objects.requireNonNull(simulator.state().metrics());
    assertThat(metrics.filledAmount() + metrics.remaining()).isCloseTo(800, within(1e-9));
    assertThat(log.entries()).containsKeys("ffr", "pa", "history_steps");
    assertThat(simulator.history("1day")).hasSize(1);
    assertThat(simulator.history("30min")).hasSize(8);
    assertThatThrownBy(() -> simulator.step(ChildOrder.market(0)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void restsLimitOrdersWhereTheMatchingCoreIsBelow() {
    RealisticSimulator simulator =
        factory(Frictions.NONE, List.of(), Frequency.ofMinutes(30), false).create(ORDER);

    simulator.step(ChildOrder.limit(100, 10_000)); // a price of nothing: never reached

    assertThat(simulator.state().remaining()).isEqualTo(800);
    assertThatThrownBy(() -> nested().create(ORDER).step(ChildOrder.limit(-1, 5)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void underQlibsNamesTheSameAgentEndsDifferentlyElsewhere() {
    var bars = new RandomBars(new SplittableRandom(5), Frequency.ofMinutes(5), 0, Float.NaN);
    SimpleSimulator simple =
        new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.QLIB)
            .over(CachedTicks.of(bars, DealPrice.CLOSE, 1))
            .create(ORDER);
    RealisticSimulator exchange = nested(true).create(ORDER);

    while (!simple.isDone()) {
      simple.step(ChildOrder.market(0));
    }
    while (!exchange.isDone()) {
      exchange.step(ChildOrder.market(0));
    }

    assertThat(simple.state().filled(simple.state().rows() - 1)).isEqualTo(800);
    assertThat(exchange.state().remaining()).isEqualTo(800);
  }

  @Test
  void refusesWhatIsNoVolume() {
    RealisticSimulator simulator = nested().create(ORDER);

    assertThatThrownBy(() -> simulator.step(ChildOrder.market(Double.NaN)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> simulator.step(ChildOrder.market(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesOrdersItCannotWork() {
    LocalDateTime next = START.plusDays(1);

    assertThatThrownBy(() -> nested().create(new Order(RandomBars.STOCK, Side.BUY, 1, START, next)))
        .isInstanceOf(DataException.class);
    assertThatThrownBy(
            () ->
                nested()
                    .create(
                        new Order(
                            RandomBars.STOCK,
                            Side.BUY,
                            1,
                            START.plusDays(40),
                            START.plusDays(40).plusHours(1))))
        .isInstanceOf(DataException.class);
    assertThatThrownBy(
            () -> nested().create(new Order("SH999999", Side.BUY, 1, START, START.plusHours(1))))
        .isInstanceOf(DataException.class);
    assertThatThrownBy(
            () ->
                nested()
                    .create(new Order(RandomBars.STOCK, Side.BUY, 0, START, START.plusHours(1))))
        .isInstanceOf(DataException.class);
  }
}
