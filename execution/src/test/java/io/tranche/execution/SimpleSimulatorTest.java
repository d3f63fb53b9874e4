package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.execution.Dialect.Excess;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleSimulatorTest {

  private static final SimpleSimulatorConfig FIVE_TICKS =
      SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(5);
  private static final Frictions CAPPED = Frictions.NONE.withParticipation(0.1);

  private static SimpleSimulator simulator(
      SimpleSimulatorConfig config, DayTicks ticks, Order order) {
    return config.over(_ -> ticks).create(order);
  }

  private static ExecutionMetrics metrics(SimpleSimulator simulator) {
    return Objects.requireNonNull(simulator.state().metrics());
  }

  @Test
  void alignsStepsToTheDayNotToTheOrder() {
    SimpleSimulator simulator =
        simulator(FIVE_TICKS, Episodes.rising(20), Episodes.order(Side.BUY, 90, 3, 14));
    ExecutionState first = simulator.state();
    assertThat(first.tick()).isEqualTo(3);
    assertThat(first.ticksForOrder()).isEqualTo(11);
    assertThat(first.maxSteps()).isEqualTo(3);
    assertThat(first.metrics()).isNull();

    simulator.step(ChildOrder.market(10));
    assertThat(simulator.state().tick()).isEqualTo(5);
    assertThat(simulator.state().filled(0)).isEqualTo(5);
    simulator.step(ChildOrder.market(10));
    assertThat(simulator.state().rows()).isEqualTo(7);
    simulator.step(ChildOrder.market(0));

    ExecutionState last = simulator.state();
    assertThat(simulator.isDone()).isTrue();
    assertThat(last.remaining()).isZero();
    assertThat(last.tick()).isEqualTo(14);
    assertThat(last.time()).isEqualTo(Episodes.OPEN + 14 * 60 - 1);
    assertThat(IntStream.range(7, 11).mapToDouble(last::filled)).containsOnly(17.5);
    assertThat(IntStream.rangeClosed(0, 3).map(last::firstRow)).containsExactly(0, 2, 7, 11);
    assertThat(metrics(simulator).time()).isEqualTo(Episodes.DAY.atTime(9, 30));
  }

  @Test
  void movesToTheNextBoundaryAlsoWhenFilledEarly() {
    SimpleSimulator simulator =
        simulator(FIVE_TICKS, Episodes.rising(20), Episodes.order(Side.SELL, 90, 0, 20));

    simulator.step(ChildOrder.market(90));

    assertThat(simulator.isDone()).isTrue();
    assertThat(simulator.state().time()).isEqualTo(Episodes.OPEN + 5 * 60);
    assertThat(metrics(simulator).tradePrice()).isCloseTo(12, within(1e-12));
    assertThat(metrics(simulator).advantageBps()).isCloseTo((12 / 19.5 - 1) * 10_000, within(1e-9));
    assertThatIllegalStateException()
        .isThrownBy(() -> simulator.step(ChildOrder.market(1)))
        .withMessage(
            "order must not be finished, was at 2021-03-01 09:35:00 with 0.0 left: "
                + "order SELL 90.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T09:49:59");
  }

  @Test
  void givesAnUnfilledOrderMetricsUnlessQlibIsAskedFor() {
    var log = new LogCollector(LogLevel.DEBUG);
    Order order = Episodes.order(Side.BUY, 1000, 0, 10);
    SimpleSimulator sound =
        FIVE_TICKS
            .withFrictions(CAPPED)
            .over(_ -> Episodes.rising(10))
            .create(order, EnvContext.outside(log));
    SimpleSimulator qlib =
        simulator(
            FIVE_TICKS.withFrictions(CAPPED).withDialect(Dialect.QLIB), Episodes.rising(10), order);

    for (SimpleSimulator simulator : List.of(sound, qlib)) {
      simulator.step(ChildOrder.market(500));
      simulator.step(ChildOrder.market(500));
      assertThat(simulator.isDone()).isTrue();
      assertThat(simulator.state().remaining()).isEqualTo(900);
    }

    assertThat(qlib.state().metrics()).isNull();
    ExecutionMetrics metrics = metrics(sound);
    assertThat(metrics.filledAmount()).isEqualTo(100);
    assertThat(metrics.amount()).isEqualTo(1450); // 500, then all that remains
    assertThat(metrics.remaining()).isEqualTo(900);
    assertThat(metrics.fillRate()).isEqualTo(0.1);
    // 100 at 14.5, which is the mean price, and 900 at 19, the last price
    assertThat(metrics.advantageBps()).isCloseTo((1 - 18.55 / 14.5) * 10_000, within(1e-9));
    assertThat(log.entries().keySet())
        .containsExactly(
            "history_steps",
            "history_exec",
            "stock_id",
            "datetime",
            "direction",
            "market_volume",
            "market_price",
            "amount",
            "inner_amount",
            "deal_amount",
            "trade_price",
            "trade_value",
            "position",
            "ffr",
            "pa");
  }

  @Test
  void aStepThatExecutesNothingHasNoAdvantageUnlessQlibIsAskedFor() {
    for (Dialect dialect : List.of(Dialect.NATIVE, Dialect.QLIB)) {
      SimpleSimulator simulator =
          simulator(
              FIVE_TICKS.withDialect(dialect),
              Episodes.rising(10),
              Episodes.order(Side.BUY, 10, 0, 10));

      simulator.step(ChildOrder.market(0));

      double expected = dialect.equals(Dialect.QLIB) ? 10_000 : 0;
      assertThat(simulator.state().stepRows().getFirst().advantageBps()).isEqualTo(expected);
      assertThat(simulator.state().stepAdvantageBps(0)).isEqualTo(expected);
    }
  }

  @Test
  void qlibTradesMoreThanRemainsAndThenRefusesIt() {
    SimpleSimulator simulator =
        simulator(
            FIVE_TICKS.withDialect(Dialect.QLIB),
            Episodes.rising(20),
            Episodes.order(Side.BUY, 10, 0, 20));

    assertThatThrownBy(() -> simulator.step(ChildOrder.market(11))).hasMessageContaining("11.0");
    SimpleSimulator capped =
        simulator(
            FIVE_TICKS.withDialect(Dialect.QLIB).withFrictions(CAPPED),
            Episodes.rising(20),
            Episodes.order(Side.BUY, 1000, 0, 20));
    capped.step(ChildOrder.market(2000)); // as long as a cap keeps it below what remains, it trades
    assertThat(capped.state().requested(0)).isEqualTo(2000);
  }

  @Test
  void qlibAveragesTheNaNOfAMissingBar() {
    double[] prices = {10, Double.NaN, 10, 10};
    for (Dialect dialect : List.of(Dialect.NATIVE, Dialect.QLIB)) {
      SimpleSimulator simulator =
          simulator(
              FIVE_TICKS.withDialect(dialect),
              Episodes.day(prices, 1, Double.NaN, 1, 1),
              Episodes.order(Side.BUY, 8, 0, 4));

      simulator.step(ChildOrder.market(8));

      boolean isQlib = dialect.equals(Dialect.QLIB);
      assertThat(simulator.state().filled(1)).isEqualTo(isQlib ? 2 : 0);
      assertThat(Double.isNaN(simulator.state().stepRows().getFirst().tradePrice()))
          .isEqualTo(isQlib);
    }
  }

  @Test
  void clipsOrRefusesWhatIsMoreThanRemains() {
    Order order = Episodes.order(Side.BUY, 10, 0, 20);
    SimpleSimulator clipping = simulator(FIVE_TICKS, Episodes.rising(20), order);
    SimpleSimulator refusing =
        simulator(
            FIVE_TICKS.withDialect(Dialect.NATIVE.withExcess(Excess.REFUSE)),
            Episodes.rising(20),
            order);

    clipping.step(ChildOrder.market(Double.POSITIVE_INFINITY));

    assertThat(clipping.state().remaining()).isZero();
    assertThat(clipping.state().requested(0)).isEqualTo(10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> refusing.step(ChildOrder.market(11)))
        .withMessage(
            "volume must be in [0, 10.0], was 11.0 at tick 0 (2021-03-01 09:30:00) of "
                + "order BUY 10.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T09:49:59");
    refusing.step(ChildOrder.market(10)); // a refusal leaves the episode as it was
    assertThat(refusing.isDone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, -1e-3, Double.NaN, Double.NEGATIVE_INFINITY})
  void refusesVolumesThatAreNone(double volume) {
    SimpleSimulator simulator =
        simulator(FIVE_TICKS, Episodes.rising(20), Episodes.order(Side.BUY, 10, 0, 20));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> simulator.step(ChildOrder.market(volume)));
    assertThat(simulator.state().step()).isZero();
  }

  @Test
  void tradesThroughFrictionsAndKeepsTheFees() {
    Frictions frictions =
        Frictions.NONE.withCosts(
            Costs.NONE.withCommission(0.01).withImpacts(new Impact.Linear(0.1)));
    var log = new LogCollector(LogLevel.PERIODIC);
    SimpleSimulator simulator =
        FIVE_TICKS
            .withFrictions(frictions)
            .over(_ -> Episodes.rising(5))
            .create(Episodes.order(Side.BUY, 50, 0, 5), EnvContext.outside(log));

    simulator.step(ChildOrder.market(50));

    assertThat(log.entries()).containsKeys("cost_bps", "net_pa");
    ExecutionState state = simulator.state();
    assertThat(state.tradePrice(0)).isCloseTo(10.1, within(1e-12));
    assertThat(state.marketPrice(0)).isEqualTo(10);
    assertThat(metrics(simulator).tradePrice()).isCloseTo(12.12, within(1e-12));
    assertThat(metrics(simulator).advantageBps()).isCloseTo(-100, within(1e-9));
    assertThat(state.fees(0, 5)).isCloseTo(0.01 * 50 * 12.12, within(1e-9));
    assertThat(state.costBps()).isCloseTo(101, within(1e-9)); // 1 % of 12.12, of the mean price 12
  }

  @Test
  void restsALimitOrderUntilTheNextDecision() {
    SimpleSimulator simulator =
        simulator(FIVE_TICKS, Episodes.rising(15), Episodes.order(Side.SELL, 30, 0, 15));

    simulator.step(ChildOrder.limit(10, 2000)); // 20 % above 10 is reached at the third tick
    simulator.step(ChildOrder.cancel());

    ExecutionState state = simulator.state();
    assertThat(state.remaining()).isEqualTo(20);
    assertThat(state.filled(2)).isEqualTo(10);
    assertThat(state.tradePrice(2)).isEqualTo(12);
    assertThat(state.tickRows().get(7).tradePrice()).isEqualTo(17);
  }

  @Test
  void laterStepsNeverChangeWhatAnEarlierStateShows() {
    SimpleSimulator simulator =
        simulator(FIVE_TICKS, Episodes.rising(20), Episodes.order(Side.BUY, 40, 2, 20));
    simulator.step(ChildOrder.market(10));
    ExecutionState early = simulator.state();
    var ticks = new ArrayList<>(early.tickRows());
    var steps = new ArrayList<>(early.stepRows());

    simulator.step(ChildOrder.limit(10, 1));
    simulator.step(ChildOrder.market(10));
    simulator.step(ChildOrder.market(10));

    assertThat(early.tickRows()).isEqualTo(ticks);
    assertThat(early.stepRows()).isEqualTo(steps);
    assertThat(early.metrics()).isNull();
    assertThat(early.dateTime()).isEqualTo(BarTime.dateTime(Episodes.OPEN + 300));
    assertThat(simulator.state().stepRows()).hasSize(4);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> early.filled(3));
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void advantagesAreNeverInfinite(Side side) {
    assertThat(ExecutionMetrics.advantageBps(side, 11, 10))
        .isCloseTo(side == Side.BUY ? -1000 : 1000, within(1e-9));
    assertThat(ExecutionMetrics.advantageBps(side, 11, 0)).isZero();
    assertThat(ExecutionMetrics.advantageBps(side, Double.NaN, 10)).isZero();
    assertThat(ExecutionMetrics.advantageBps(side, 10, Double.NaN)).isZero();
    assertThat(ExecutionMetrics.advantageBps(side, Double.POSITIVE_INFINITY, 10))
        .isEqualTo(side == Side.BUY ? -Double.MAX_VALUE : Double.MAX_VALUE);
  }

  @Test
  void aWarmStepAllocatesNothing() {
    SimulatorFactory factory = SimpleSimulatorConfig.DEFAULT.over(_ -> Episodes.rising(240));
    ChildOrder child = ChildOrder.market(100);
    long bytes =
        Allocation.settledBytesOf(
            2_000,
            () -> fresh(factory, 500),
            simulators -> {
              for (SimpleSimulator simulator : simulators) {
                for (int step = 0; step < 7; step++) { // the eighth makes the metrics
                  simulator.step(child);
                }
              }
            });

    assertThat(bytes).isLessThan(2_000); // the measurement itself; a byte a step is 3,500
  }

  private static SimpleSimulator[] fresh(SimulatorFactory factory, int count) {
    var simulators = new SimpleSimulator[count];
    for (int i = 0; i < simulators.length; i++) {
      simulators[i] = factory.create(Episodes.order(Side.BUY, 1000, 0, 240));
    }
    return simulators;
  }
}
