package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import org.junit.jupiter.api.Test;

class SimulatorInputTest {

  private static final double GAP = Double.NaN;

  private static void assertRefused(DayTicks ticks, Order order, String message) {
    SimulatorFactory factory = SimpleSimulatorConfig.DEFAULT.over(_ -> ticks);

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> factory.create(order))
        .withMessage(message);
  }

  @Test
  void refusesAnOrderWithoutTicks() {
    assertRefused(
        Episodes.rising(10),
        Episodes.order(Side.BUY, 10, 60, 70),
        "order BUY 10.0 SH600000, 2021-03-01T10:30 .. 2021-03-01T10:39:59: "
            + "expected a tick of the day in its window, was none");
  }

  @Test
  void refusesAnOrderThatEndsOnAnotherDay() {
    assertRefused(
        Episodes.rising(10),
        Episodes.order(Side.SELL, 10, 0, 24 * 60),
        "order SELL 10.0 SH600000, 2021-03-01T09:30 .. 2021-03-02T09:29:59: "
            + "expected an end on the trading day 2021-03-01, was 2021-03-02T09:29:59");
  }

  @Test
  void refusesAnOrderForNothing() {
    assertRefused(
        Episodes.rising(10),
        Episodes.order(Side.BUY, 0, 0, 10),
        "order BUY 0.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T09:39:59: "
            + "expected a positive amount, was 0.0");
  }

  @Test
  void refusesAPriceWithoutVolumeAndAVolumeWithoutPrice() {
    String where = "order BUY 10.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T09:31:59, ";

    assertRefused(
        Episodes.day(new double[] {10, GAP}, 1, 1),
        Episodes.order(Side.BUY, 10, 0, 2),
        where + "tick 1 (2021-03-01 09:31:00): expected a positive price, was NaN");
    assertRefused(
        Episodes.day(new double[] {10, 10}, 1, GAP),
        Episodes.order(Side.BUY, 10, 0, 2),
        where + "tick 1 (2021-03-01 09:31:00): expected a volume that is not negative, was NaN");
  }

  @Test
  void doesNotLookAtTicksOutsideTheWindow() {
    DayTicks ticks = Episodes.day(new double[] {GAP, 10, 12, GAP}, 1, 1, 1, 1);
    SimpleSimulator simulator =
        SimpleSimulatorConfig.DEFAULT.over(_ -> ticks).create(Episodes.order(Side.BUY, 10, 1, 3));

    simulator.step(ChildOrder.market(10));

    assertThat(simulator.state().remaining()).isZero();
    assertThat(simulator.state().twapPrice()).isEqualTo(11);
  }

  @Test
  void tradesAroundMissingBars() {
    DayTicks ticks = Episodes.day(new double[] {10, GAP, 12, GAP}, 100, GAP, 200, GAP);
    SimpleSimulator simulator =
        SimpleSimulatorConfig.DEFAULT.over(_ -> ticks).create(Episodes.order(Side.BUY, 10, 0, 4));

    simulator.step(ChildOrder.market(10));

    ExecutionState state = simulator.state();
    assertThat(state.tickRows())
        .extracting(ExecutionMetrics::filledAmount)
        .containsExactly(5.0, 0.0, 5.0, 0.0);
    assertThat(state.metrics()).isNotNull();
    assertThat(state.stepRows().getFirst().marketVolume()).isEqualTo(300);
    assertThat(state.stepRows().getFirst().marketPrice()).isEqualTo(11);
    assertThat(state.stepRows().getFirst().tradePrice()).isCloseTo(11, within(1e-12));
    assertThat(state.stepAdvantageBps(0)).isCloseTo(0, within(1e-9));
  }

  @Test
  void refusesStepsThatAreNoWholeNumberOfBars() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new SimpleSimulatorConfig(
                    32, 5, SimpleSimulatorConfig.DEFAULT.frictions(), Dialect.NATIVE))
        .withMessage("minutesPerStep must be a positive multiple of 5, was 32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(0));
  }
}
