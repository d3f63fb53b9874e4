package io.tranche.execution.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.DayTicks;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AllOne;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.Episodes;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.TwapRelativeInterpreter.Estimate;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InterpretersTest {

  private static final List<ActionInterpreter<ExecutionState, ChildOrder>> ALL =
      List.of(
          CategoricalInterpreter.of(CategoricalInterpreter.evenShares(4)),
          CategoricalInterpreter.of(List.of(1.0, 0.3)),
          new TwapRelativeInterpreter(Estimate.TICKS),
          new TwapRelativeInterpreter(Estimate.WHOLE_STEPS),
          new VolumeInterpreter(),
          new QuoteInterpreter(
              new QuoteInterpreter.Menu(
                  List.of(0.0, 0.25, 1.0), List.of(new Kind.Market(), new Kind.Limit(5)))),
          new QuoteInterpreter(new QuoteInterpreter.Dial(20)),
          TwapRelativeInterpreter.upTo(4),
          VolumeInterpreter.shares(0.5),
          VolumeInterpreter.upTo(700),
          new QuoteInterpreter(new QuoteInterpreter.Dials(4, 20, 0.3)));

  private static SimpleSimulator simulator(DayTicks ticks, Order order, int ticksPerStep) {
    return SimpleSimulatorConfig.DEFAULT
        .withMinutesPerStep(ticksPerStep)
        .over(_ -> ticks)
        .create(order);
  }

  @Test
  void actionsStayWithinWhatRemains() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          int from = random.nextInt(ticks.count());
          Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
          Order order =
              Episodes.order(
                  side, random.nextDouble(1, 5000), from, random.nextInt(from, ticks.count()) + 1);
          SimpleSimulator simulator = simulator(ticks, order, random.nextInt(1, 20));
          var interpreter = ALL.get(random.nextInt(ALL.size()));

          while (!simulator.isDone()) {
            ExecutionState state = simulator.state();
            ChildOrder child =
                interpreter.act(state, action(random, interpreter.actionSpace(), order.amount()));

            assertThat(child.volume()).isBetween(0.0, state.remaining());
            simulator.step(child);
          }
        });
  }

  @Test
  void countedActionsMeanTheSameWithoutAMarket() {
    Order order = Episodes.order(Side.SELL, 100, 0, 20);
    for (var interpreter : ALL) {
      if (interpreter instanceof DiscreteActions actions && actions.choices() > 0) {
        assertThat(interpreter.actionSpace()).isEqualTo(new Space.Discrete(actions.choices()));
        for (int choice = 0; choice < actions.choices(); choice++) {
          SimpleSimulator simulator = simulator(Episodes.rising(20), order, 6);
          while (!simulator.isDone()) {
            ExecutionState state = simulator.state();
            boolean isLast = NextStep.isLast(state);
            ChildOrder child = interpreter.act(state, new Action.Discrete(choice));

            assertThat(actions.volume(state, isLast, choice)).isEqualTo(child.volume());
            assertThat(actions.kind(isLast, choice)).isEqualTo(child.kind());
            simulator.step(child);
          }
        }
      }
    }
    assertThat(new QuoteInterpreter(new QuoteInterpreter.Dial(20)).choices()).isZero();
  }

  @Test
  void numbersMeanTheSameOutsideASimulator() {
    var random = new SplittableRandom(3);
    for (var interpreter : ALL) {
      if (interpreter instanceof ContinuousActions actions && actions.numbers() > 0) {
        SimpleSimulator simulator =
            simulator(Episodes.rising(20), Episodes.order(Side.BUY, 90, 4, 17), 6);
        while (!simulator.isDone()) {
          ExecutionState state = simulator.state();
          float[] numbers = new float[actions.numbers()];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextFloat() * 0.4f;
          }
          Action action =
              interpreter.actionSpace() instanceof Space.Box box && box.shape().isEmpty()
                  ? new Action.Continuous(numbers[0])
                  : numbers(numbers[0], numbers[1]);
          boolean isLast = NextStep.isLast(state);
          ChildOrder child = interpreter.act(state, action);

          assertThat(actions.volume(state, isLast, numbers, 0)).isEqualTo(child.volume());
          assertThat(actions.kind(isLast, numbers, 0)).isEqualTo(child.kind());
          simulator.step(child);
        }
      }
    }
  }

  private static Action action(SplittableRandom random, Space space, double amount) {
    return switch (space) {
      case Space.Discrete(int count) -> new Action.Discrete(random.nextInt(count));
      case Space.Box box when !box.shape().isEmpty() ->
          new Action.Vector(List.of(random.nextDouble(-1, 1), random.nextDouble(-1, 1)));
      case Space.Box box ->
          new Action.Continuous(
              random.nextDouble(box.low(), Math.min(box.high(), Math.max(3, amount))));
      default -> throw new AssertionError(space);
    };
  }

  @Test
  void onceTheTwapRateTradesEveryTickAlikeAlsoFromBetweenTwoBoundaries() {
    Order order = Episodes.order(Side.BUY, 90, 4, 13);
    SimpleSimulator simulator = simulator(Episodes.rising(20), order, 6);
    var interpreter = new TwapRelativeInterpreter(Estimate.TICKS);

    while (!simulator.isDone()) {
      simulator.step(interpreter.act(simulator.state(), new Action.Continuous(1)));
    }

    for (int row = 0; row < 9; row++) {
      assertThat(simulator.state().filled(row)).isEqualTo(10, within(1e-9));
    }
  }

  @Test
  void qlibsEstimateOverlooksTheShortStepAndTakesEverythingInIt() {
    Order order = Episodes.order(Side.BUY, 60, 3, 15);
    SimpleSimulator simulator = simulator(Episodes.rising(20), order, 6);
    var interpreter = new TwapRelativeInterpreter(Estimate.WHOLE_STEPS);

    simulator.step(interpreter.act(simulator.state(), new Action.Continuous(0.5)));
    simulator.step(interpreter.act(simulator.state(), new Action.Continuous(0)));

    // Two whole steps were expected and a third one is due.
    assertThat(interpreter.act(simulator.state(), new Action.Continuous(0)).volume())
        .isEqualTo(simulator.state().remaining())
        .isEqualTo(45);
  }

  @Test
  void aMenuQuotesEachShareInEachWay() {
    var menu =
        new QuoteInterpreter(
            new QuoteInterpreter.Menu(
                List.of(0.25, 0.5), List.of(new Kind.Market(), new Kind.Limit(5))));
    ExecutionState state =
        simulator(Episodes.rising(20), Episodes.order(Side.SELL, 80, 0, 20), 5).state();

    assertThat(menu.actionSpace()).isEqualTo(new Space.Discrete(4));
    assertThat(menu.act(state, new Action.Discrete(0))).isEqualTo(ChildOrder.market(20));
    assertThat(menu.act(state, new Action.Discrete(1))).isEqualTo(ChildOrder.limit(20, 5));
    assertThat(menu.act(state, new Action.Discrete(2))).isEqualTo(ChildOrder.market(40));
    assertThat(menu.act(state, new Action.Discrete(3))).isEqualTo(ChildOrder.limit(40, 5));
    assertThatThrownBy(() -> menu.act(state, new Action.Discrete(4)))
        .isInstanceOf(SpaceException.class)
        .hasMessageContaining("must be a whole number in [0, 3], was 4");
    assertThatThrownBy(
            () -> new QuoteInterpreter.Menu(List.of(0.5), List.of(ChildOrder.cancel().kind())))
        .hasMessageContaining("kinds must be markets and limits");
  }

  @Test
  void aShareOfNothingIsACancelUntilTheLastDecision() {
    var menu =
        new QuoteInterpreter(
            new QuoteInterpreter.Menu(
                List.of(0.0, 0.5), List.of(new Kind.Market(), new Kind.Limit(5))));
    SimpleSimulator simulator =
        simulator(Episodes.rising(20), Episodes.order(Side.SELL, 80, 0, 20), 10);

    assertThat(menu.act(simulator.state(), new Action.Discrete(1))).isEqualTo(ChildOrder.cancel());
    simulator.step(ChildOrder.cancel());
    assertThat(menu.act(simulator.state(), new Action.Discrete(1)))
        .isEqualTo(ChildOrder.market(80));
  }

  @Test
  void aDialTradesMoreAndCrossesFurtherTheMoreUrgentItIs() {
    var dial = new QuoteInterpreter(new QuoteInterpreter.Dial(20));
    SimpleSimulator simulator =
        simulator(Episodes.rising(20), Episodes.order(Side.SELL, 80, 0, 20), 5);
    ExecutionState state = simulator.state();

    assertThat(dial.act(state, new Action.Continuous(0))).isEqualTo(ChildOrder.limit(20, -0.0));
    assertThat(dial.act(state, new Action.Continuous(1))).isEqualTo(ChildOrder.limit(40, -20));
    assertThat(dial.act(state, new Action.Continuous(-0.5))).isEqualTo(ChildOrder.limit(10, 10));
    while (state.step() < 3) {
      simulator.step(ChildOrder.market(0));
      state = simulator.state();
    }
    // The last decision leaves nothing to chance.
    assertThat(dial.act(state, new Action.Continuous(-1))).isEqualTo(ChildOrder.market(80));
  }

  @Test
  void twoDialsTurnTheRateAndTheOffsetAndCancel() {
    var dials = new QuoteInterpreter(new QuoteInterpreter.Dials(4, 20, 0.5));
    SimpleSimulator simulator =
        simulator(Episodes.rising(20), Episodes.order(Side.SELL, 80, 0, 20), 5);
    ExecutionState state = simulator.state();

    assertThat(dials.act(state, numbers(-0.5, 0.25))).isEqualTo(ChildOrder.limit(20, 5));
    assertThat(dials.act(state, numbers(0, -1))).isEqualTo(ChildOrder.limit(40, -20));
    assertThat(dials.act(state, numbers(1, 1))).isEqualTo(ChildOrder.limit(80, 20));
    assertThat(dials.act(state, numbers(-0.8, 1))).isEqualTo(ChildOrder.cancel());
    assertThat(dials.twap(8)).containsExactly(-0.5, 0);
    assertThat(dials.act(state, numbers(1.5, -1.25))).isEqualTo(dials.act(state, numbers(1, -1)));
    assertThatThrownBy(() -> dials.act(state, numbers(0, 1.75)))
        .isInstanceOf(SpaceException.class)
        .hasMessageContaining("[1] must be in [-1.5, 1.5], was 1.75");
    assertThatThrownBy(() -> dials.act(state, new Action.Continuous(0)))
        .hasMessageContaining("must have shape [2], was a scalar");
    assertThatThrownBy(() -> dials.act(state, numbers(0, Double.NaN)))
        .hasMessageContaining("was NaN");
    while (simulator.state().step() < 3) {
      simulator.step(dials.act(simulator.state(), numbers(-1, 0)));
    }
    assertThat(dials.act(simulator.state(), numbers(-1, 1))).isEqualTo(ChildOrder.market(80));
  }

  private static Action numbers(double... values) {
    return new Action.Vector(Arrays.stream(values).boxed().toList());
  }

  @Test
  void boundedRatesAndSharesKeepTheirEndsAndHaveRoomBeyondThem() {
    ExecutionState state =
        simulator(Episodes.rising(20), Episodes.order(Side.SELL, 80, 0, 20), 5).state();

    assertThat(VolumeInterpreter.shares(0.5).act(state, new Action.Continuous(0.25)).volume())
        .isEqualTo(20);
    assertThat(VolumeInterpreter.shares(0.5).twap(8)).containsExactly(0.125);
    var rates = TwapRelativeInterpreter.upTo(2);
    assertThat(rates.act(state, new Action.Continuous(2)).volume()).isEqualTo(40);
    assertThat(rates.act(state, new Action.Continuous(2.5)).volume()).isEqualTo(40);
    assertThat(rates.act(state, new Action.Continuous(-0.5)).volume()).isZero();
    assertThat(VolumeInterpreter.shares(0.5).act(state, new Action.Continuous(0.6)).volume())
        .isEqualTo(40);
    assertThat(VolumeInterpreter.upTo(30).act(state, new Action.Continuous(-7)).volume()).isZero();
    for (double beyond : new double[] {2.6, -0.6, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> rates.act(state, new Action.Continuous(beyond)))
          .isInstanceOf(SpaceException.class)
          .hasMessageContaining("must be in [-0.5, 2.5], was " + beyond);
    }
    assertThatThrownBy(() -> TwapRelativeInterpreter.upTo(1)).hasMessageContaining("above 1");
  }

  @Test
  void sharesOfASoundMenuAreFractions() {
    assertThatThrownBy(() -> CategoricalInterpreter.of(List.of(0.2, -0.5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shares must be in [0, 1], was -0.5");
  }

  @Test
  void theCurrentStepHasRoomForTheLastObservation() {
    SimpleSimulator simulator =
        simulator(Episodes.rising(10), Episodes.order(Side.BUY, 80, 0, 10), 5);
    simulator.step(ChildOrder.market(1));
    simulator.step(ChildOrder.market(1));

    var seen = CurrentStepInterpreter.of(2).observe(simulator.state());

    assertThat(seen.step()).isEqualTo(2);
    assertThatThrownBy(() -> CurrentStepInterpreter.qlib(2).observe(simulator.state()))
        .isInstanceOf(SpaceException.class)
        .hasMessageContaining("cur_step must be in [0.0, 1.0], was 2");
  }

  @Test
  void theCurrentStepWorksInVectorsOfEnvironments() {
    DayTicks ticks = Episodes.rising(20);
    var problem =
        new Problem<>(
            SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(5).over(_ -> ticks),
            CurrentStepInterpreter.of(4),
            new TwapRelativeInterpreter(Estimate.TICKS),
            (_, _) -> 1);
    var orders = Stream.generate(() -> Episodes.order(Side.BUY, 80, 0, 20)).limit(7).iterator();
    try (var environments =
        new FiniteVectorEnv<>(problem, orders, VectorConfig.of(3), List.of(), 2)) {

      CollectResult result =
          environments.guarded(
              () ->
                  new Collector<>(
                          new AllOne<CurrentStepObservation>(new Action.Continuous(1)),
                          Policy.Mode.EVALUATE,
                          environments,
                          _ -> {},
                          Collector.Resets.NEEDED,
                          1,
                          0)
                      .collectAll());

      assertThat(result.episodes()).isEqualTo(7);
      assertThat(result.steps()).isEqualTo(28);
    }
  }
}
