package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.FillRule;
import io.tranche.backtest.Frictions;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class SimulatorPropertyTest {

  private static final int COUNT = Cases.count(10_000, 100_000);

  /// Qlib's dialect, but for when an order counts as filled.
  private static final Dialect QLIB =
      new Dialect(
          true,
          true,
          Dialect.Excess.REFUSE_WHEN_FILLED,
          true,
          FillRule.QLIB_SIMPLE,
          Dialect.NATIVE.remainder());

  private static Order order(SplittableRandom random, int ticks) {
    int from = random.nextInt(ticks);
    Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
    return Episodes.order(side, random.nextDouble(1, 5000), from, random.nextInt(from, ticks) + 1);
  }

  private static SimpleSimulatorConfig config(SplittableRandom random) {
    return SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(random.nextInt(1, 20));
  }

  /// Steps to the end; `volumes` is asked at each step.
  private static List<ExecutionState> run(
      SimpleSimulator simulator, ToDoubleFunction<ExecutionState> volumes) {
    var states = new ArrayList<>(List.of(simulator.state()));
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(volumes.applyAsDouble(states.getLast())));
      states.add(simulator.state());
    }
    return states;
  }

  @Test
  void keepsItsBooks() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          Frictions frictions = RandomFrictions.draw(random);

          List<ExecutionState> states =
              run(
                  config(random).withFrictions(frictions).over(_ -> ticks).create(order),
                  state -> random.nextDouble(1.5) * order.amount());

          ExecutionState end = states.getLast();
          ExecutionMetrics metrics = Objects.requireNonNull(end.metrics());
          double slack = 2e-9 * order.amount();
          assertThat(end.remaining()).isBetween(0.0, order.amount());
          assertThat(metrics.fillRate()).isBetween(0.0, 1 + 2e-9);
          assertThat(metrics.filledAmount() + end.remaining())
              .isCloseTo(order.amount(), within(slack));
          assertThat(end.rows()).isLessThanOrEqualTo(end.ticksForOrder());
          double filled = 0;
          double value = 0;
          for (int row = 0; row < end.rows(); row++) {
            double amount = end.filled(row);
            assertThat(amount).isNotNegative();
            assertThat(amount)
                .isLessThanOrEqualTo(
                    frictions.participation() * ticks.volume(end.firstTick() + row) + slack);
            filled += amount;
            value += amount * end.tradePrice(row);
          }
          assertThat(filled).isCloseTo(metrics.filledAmount(), within(slack));
          assertThat(value).isCloseTo(metrics.tradeValue(), within(1e-9 * value + 1e-9));
          for (int step = 1; step < states.size(); step++) {
            assertThat(states.get(step).remaining())
                .isBetween(0.0, states.get(step - 1).remaining());
          }
        });
  }

  @Test
  void twapHasNoAdvantageOverTheTwap() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          SimpleSimulatorConfig config = config(random);
          int width = config.ticksPerStep();

          List<ExecutionState> states =
              run(
                  config.over(_ -> ticks).create(order),
                  state -> {
                    int next = Math.min(state.tick() / width * width + width, state.endTick());
                    return order.amount() * (next - state.tick()) / state.ticksForOrder();
                  });

          ExecutionMetrics metrics = Objects.requireNonNull(states.getLast().metrics());
          assertThat(metrics.advantageBps()).isCloseTo(0, within(1e-8));
          assertThat(metrics.fillRate()).isCloseTo(1, within(1e-9));
        });
  }

  @Test
  void theAdvantageFlipsWithTheSide() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order buy = order(random, ticks.count());
          var sell =
              new Order(buy.instrument(), other(buy.side()), buy.amount(), buy.start(), buy.end());
          SimulatorFactory factory = config(random).over(_ -> ticks);
          double share = random.nextDouble();

          double one = advantage(factory, buy, share);
          double two = advantage(factory, sell, share);

          assertThat(one).isCloseTo(-two, within(1e-8));
        });
  }

  private static Side other(Side side) {
    return side == Side.BUY ? Side.SELL : Side.BUY;
  }

  private static double advantage(SimulatorFactory factory, Order order, double share) {
    List<ExecutionState> states = run(factory.create(order), state -> share * state.remaining());
    return Objects.requireNonNull(states.getLast().metrics()).advantageBps();
  }

  @Test
  void onSoundDataBothDialectsFillAlikeIfTheLastDecisionSendsEverything() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          Frictions cap =
              random.nextBoolean() ? Frictions.NONE : Frictions.NONE.withParticipation(0.2);
          SimpleSimulatorConfig config = config(random).withFrictions(cap);
          double share = random.nextDouble();
          ToDoubleFunction<ExecutionState> volumes =
              state -> (isLast(state) ? 1 : share) * state.remaining();

          ExecutionState sound = run(config.over(_ -> ticks).create(order), volumes).getLast();
          ExecutionState qlib =
              run(config.withDialect(QLIB).over(_ -> ticks).create(order), volumes).getLast();

          assertThat(sound.tickRows()).isEqualTo(qlib.tickRows());
          if (qlib.metrics() != null) {
            assertThat(sound.metrics()).isEqualTo(qlib.metrics());
          }
        });
  }

  private static boolean isLast(ExecutionState state) {
    return state.step() == state.maxSteps() - 1;
  }

  @Test
  void theLastDecisionSendsEverythingWhateverItIs() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          SimulatorFactory factory =
              config(random).withFrictions(RandomFrictions.draw(random)).over(_ -> ticks);
          double share = random.nextDouble();

          ExecutionState waits =
              run(factory.create(order), state -> isLast(state) ? 0 : share * state.remaining())
                  .getLast();
          ExecutionState sends =
              run(factory.create(order), state -> (isLast(state) ? 1 : share) * state.remaining())
                  .getLast();

          assertThat(waits.tickRows()).isEqualTo(sends.tickRows());
          ExecutionMetrics metrics = Objects.requireNonNull(waits.metrics());
          assertThat(metrics).isEqualTo(sends.metrics());
          assertThat(metrics.fillRate() + waits.remaining() / order.amount())
              .isCloseTo(1, within(2e-9)); // less than 1e-9 of an order counts as filled
        });
  }

  @Test
  void laterBarsNeverChangeEarlierStates() {
    Cases.forAll(
        COUNT,
        random -> {
          int count = random.nextInt(2, 60);
          DayTicks ticks = Episodes.random(random, count);
          Order order = order(random, count);
          SimpleSimulatorConfig config = config(random).withFrictions(RandomFrictions.draw(random));
          double share = random.nextDouble();
          SimpleSimulator simulator = config.over(_ -> ticks).create(order);
          simulator.step(ChildOrder.market(share * order.amount()));
          ExecutionState state = simulator.state();

          SimpleSimulator elsewhere =
              config.over(_ -> changedFrom(ticks, state.tick(), random)).create(order);
          elsewhere.step(ChildOrder.market(share * order.amount()));

          assertThat(elsewhere.state().remaining()).isEqualTo(state.remaining());
          for (int row = 0; row < state.rows(); row++) {
            assertThat(elsewhere.state().filled(row)).isEqualTo(state.filled(row));
            assertThat(elsewhere.state().tradePrice(row)).isEqualTo(state.tradePrice(row));
          }
        });
  }

  private static DayTicks changedFrom(DayTicks ticks, int tick, SplittableRandom random) {
    double[] prices = new double[ticks.count()];
    double[] volumes = new double[ticks.count()];
    for (int i = 0; i < prices.length; i++) {
      prices[i] = i < tick ? ticks.price(i) : random.nextDouble(1, 100);
      volumes[i] = i < tick ? ticks.volume(i) : random.nextDouble(1, 100);
    }
    return Episodes.day(prices, volumes);
  }
}
