package io.tranche.execution.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.Reward;
import io.tranche.execution.Episodes;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RewardTest {

  private static final int COUNT = Cases.count(10_000, 100_000);
  private static final Reward<ExecutionState> ADVANTAGE =
      new AdvantagePenaltyReward(0, 1, Weight.FILLED);

  /// What an episode paid, and how it ended.
  private record Outcome(double paid, int payments, ExecutionState end) {}

  private static Outcome run(
      SimpleSimulator simulator,
      Reward<ExecutionState> reward,
      ToDoubleFunction<ExecutionState> volumes) {
    double paid = 0;
    int payments = 0;
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(volumes.applyAsDouble(simulator.state())));
      double one = reward.reward(simulator.state(), outside());
      paid += one;
      payments += one == 0 ? 0 : 1;
    }
    return new Outcome(paid, payments, simulator.state());
  }

  private static EnvContext outside() {
    return EnvContext.outside(new LogCollector());
  }

  private static double twapSlice(ExecutionState state) {
    int width = state.ticksPerStep() - state.tick() % state.ticksPerStep();
    int left = state.endTick() - state.tick();
    return state.remaining() * Math.min(width, left) / left;
  }

  private static Order order(SplittableRandom random, Side side, int ticks) {
    int from = random.nextInt(ticks);
    return Episodes.order(side, random.nextDouble(1, 5000), from, random.nextInt(from, ticks) + 1);
  }

  private static Side side(SplittableRandom random) {
    return random.nextBoolean() ? Side.BUY : Side.SELL;
  }

  private static SimpleSimulator simulator(
      DayTicks ticks, Order order, int ticksPerStep, Frictions frictions) {
    return SimpleSimulatorConfig.DEFAULT
        .withMinutesPerStep(ticksPerStep)
        .withFrictions(frictions)
        .over(_ -> ticks)
        .create(order);
  }

  @Test
  void holdingPaysInAllWhatShortfallPays() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 30));
          Order order = order(random, side(random), ticks.count());
          var config =
              SimpleSimulatorConfig.DEFAULT
                  .withMinutesPerStep(random.nextInt(1, 8))
                  .withFrictions(Frictions.NONE.withParticipation(random.nextDouble(0.1, 2)));
          double share = random.nextDouble();

          double held = run(episode(config, ticks, order), new HoldingReward(1), share);
          double saved = run(episode(config, ticks, order), new ShortfallReward(1), share);

          assertThat(held).isCloseTo(saved, within(1e-6 * (1 + Math.abs(saved))));
        });
  }

  private static SimpleSimulator episode(
      SimpleSimulatorConfig config, DayTicks ticks, Order order) {
    return config.over(_ -> ticks).create(order);
  }

  private static double run(
      SimpleSimulator simulator, Reward<ExecutionState> reward, double share) {
    return run(simulator, reward, state -> share * state.remaining()).paid();
  }

  @Test
  void holdingPaysForWaitingWhenThePriceMoves() {
    // A sell that waits while the price goes from 10 to 11 (ticks 0 and 1) is paid at once.
    SimpleSimulator simulator =
        SimpleSimulatorConfig.DEFAULT
            .withMinutesPerStep(2)
            .over(_ -> Episodes.rising(4))
            .create(Episodes.order(Side.SELL, 100, 0, 4));
    simulator.step(ChildOrder.market(0));

    assertThat(new HoldingReward(1).reward(simulator.state(), outside())).isEqualTo(1000);
    assertThat(new ShortfallReward(1).reward(simulator.state(), outside())).isZero();
  }

  @Test
  void leavingTwapHasItsPrice() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(2, 40));
          Order order = order(random, side(random), ticks.count());
          int step = random.nextInt(1, 8);
          var free = new HoldingReward(1);
          var priced = new HoldingReward(1, 3);

          double even =
              run(simulator(ticks, order, step, Frictions.NONE), free, RewardTest::twapSlice)
                  .paid();
          double same =
              run(simulator(ticks, order, step, Frictions.NONE), priced, RewardTest::twapSlice)
                  .paid();
          double hasty = run(simulator(ticks, order, step, Frictions.NONE), free, 1);
          double less = run(simulator(ticks, order, step, Frictions.NONE), priced, 1);

          assertThat(same).isCloseTo(even, within(1e-6 * (1 + Math.abs(even))));
          assertThat(less).isBetween(hasty - 3 - 1e-6, hasty + 1e-6);
        });
  }

  @Test
  void twapHasNoAdvantageOverTwap() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, side(random), ticks.count());
          SimpleSimulator simulator =
              simulator(ticks, order, random.nextInt(1, 20), Frictions.NONE);

          Outcome outcome = run(simulator, ADVANTAGE, RewardTest::twapSlice);

          assertThat(outcome.paid()).isEqualTo(0, within(1e-7));
          assertThat(metrics(outcome).advantageBps()).isEqualTo(0, within(1e-7));
        });
  }

  @Test
  void theAdvantageFlipsWithTheSide() {
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order buy = order(random, Side.BUY, ticks.count());
          var sell = new Order(buy.instrument(), Side.SELL, buy.amount(), buy.start(), buy.end());
          int ticksPerStep = random.nextInt(1, 20);
          long seed = random.nextLong();

          var bought = run(simulator(ticks, buy, ticksPerStep, Frictions.NONE), seed);
          var sold = run(simulator(ticks, sell, ticksPerStep, Frictions.NONE), seed);

          assertThat(bought.paid()).isEqualTo(-sold.paid(), within(1e-7));
          assertThat(metrics(bought).advantageBps())
              .isEqualTo(-metrics(sold).advantageBps(), within(1e-7));
        });
  }

  private static Outcome run(SimpleSimulator simulator, long seed) {
    var random = new SplittableRandom(seed);
    return run(simulator, ADVANTAGE, state -> random.nextDouble() * state.remaining());
  }

  private static ExecutionMetrics metrics(Outcome outcome) {
    return Objects.requireNonNull(outcome.end().metrics());
  }

  /// Over an episode with caps, costs and impact the steps add up to what the whole order cost.
  @Test
  void shortfallAndCostAwareRewardsAddUpToTheWholeOrder() {
    Frictions frictions =
        Frictions.NONE
            .withParticipation(0.2)
            .withCosts(
                Costs.NONE
                    .withCommission(0.001)
                    .withMinimum(1, Costs.Unit.FILL)
                    .withTaxes(0, 0.001)
                    .withImpacts(new Impact.SquareRoot(0.01)));
    Cases.forAll(
        COUNT,
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, side(random), ticks.count());
          int ticksPerStep = random.nextInt(1, 20);
          long seed = random.nextLong();

          Outcome shortfall =
              pay(simulator(ticks, order, ticksPerStep, frictions), new ShortfallReward(1), seed);
          Outcome net =
              pay(
                  simulator(ticks, order, ticksPerStep, frictions),
                  new CostAwareReward(1, 1),
                  seed);

          // Less than 1e-9 of an order counts as filled, which is worth 1e-5 bp.
          Offset<Double> filled = within(2e-5);
          ExecutionState end = shortfall.end();
          double arrival = ticks.price(end.firstTick());
          double last = ticks.price(end.firstTick() + end.rows() - 1);
          double value = metrics(shortfall).tradeValue() + end.remaining() * last;
          double fees = end.fees(0, end.rows());
          double cost = order.side().sign() * (value - arrival * order.amount()) + fees;
          assertThat(shortfall.paid())
              .isEqualTo(-10_000 * cost / (arrival * order.amount()), filled);
          double advantage = metrics(net).advantageBps();
          assertThat(net.paid())
              .isEqualTo(advantage - 10_000 * fees / (order.amount() * end.twapPrice()), filled);
        });
  }

  private static Outcome pay(SimpleSimulator simulator, Reward<ExecutionState> reward, long seed) {
    var random = new SplittableRandom(seed);
    return run(simulator, reward, state -> random.nextDouble() * state.remaining());
  }

  @Test
  void thePriceTierIsPaidOnceAndQlibsUpToTwice() {
    // Falling prices: whoever buys late is better than the average.
    double[] prices = {10, 10, 10, 10, 10, 10, 4, 2};
    DayTicks ticks = Episodes.day(prices, 1, 1, 1, 1, 1, 1, 1, 1);
    Order order = Episodes.order(Side.BUY, 80, 0, 8);
    ToDoubleFunction<ExecutionState> late = state -> state.step() == 3 ? 80 : 0;

    Outcome once = run(simulator(ticks, order, 2, Frictions.NONE), PriceTierReward.once(), late);
    Outcome qlib = run(simulator(ticks, order, 2, Frictions.NONE), PriceTierReward.qlib(4), late);

    assertThat(once.paid()).isOne();
    assertThat(once.payments()).isOne();
    // After the third step nothing had traded, at more than the day's average; then all, at less.
    assertThat(qlib.payments()).isEqualTo(2);
    assertThat(qlib.paid()).isZero();
  }

  @Test
  void anOrderThatNobodyFilledIsWorthItsLastPrice() {
    DayTicks ticks = Episodes.day(new double[] {10, 11, 12, 13}, 0, 0, 0, 0);
    Order order = Episodes.order(Side.BUY, 80, 0, 4);
    Frictions cap = Frictions.NONE.withParticipation(0.1);

    Outcome tier = run(simulator(ticks, order, 2, cap), PriceTierReward.once(), _ -> 40);
    Outcome advantage = run(simulator(ticks, order, 2, cap), ADVANTAGE, _ -> 40);

    assertThat(tier.paid()).isEqualTo(-1);
    assertThat(advantage.paid()).isEqualTo((1 - 13 / 11.5) * 10_000, within(1e-9));
  }

  @Test
  void missingBarsAreWorthNothing() {
    double none = Double.NaN;
    DayTicks ticks =
        Episodes.day(new double[] {none, none, 10, none, 12, none}, none, none, 5, none, 5, none);
    Order order = Episodes.order(Side.SELL, 80, 0, 6);
    ToDoubleFunction<ExecutionState> twap = RewardTest::twapSlice;

    for (Reward<ExecutionState> reward :
        List.of(
            ADVANTAGE,
            new ShortfallReward(1),
            new VariancePenalisedReward(0, 1),
            new CostAwareReward(1, 1),
            PriceTierReward.once())) {
      SimpleSimulator simulator = simulator(ticks, order, 2, Frictions.NONE);
      simulator.step(ChildOrder.market(40));
      assertThat(reward.reward(simulator.state(), outside())).as(reward.toString()).isZero();
      assertThat(run(simulator, reward, twap).end().remaining()).isZero();
    }
  }

  @Test
  void riskIsThePriceMovesOfWhatIsStillHeld() {
    DayTicks ticks = Episodes.day(new double[] {100, 101, 101, 100}, 1, 1, 1, 1);
    SimpleSimulator simulator =
        simulator(ticks, Episodes.order(Side.SELL, 80, 0, 4), 2, Frictions.NONE);
    EnvContext environment = outside();

    simulator.step(ChildOrder.market(40));
    double paid = new VariancePenalisedReward(0.01, 2).reward(simulator.state(), environment);

    // A quarter was sold at the first tick; three quarters were held through +100 bp.
    assertThat(number(environment.log(), "reward/risk")).isEqualTo(-0.01 * 75 * 75, within(1e-9));
    assertThat(number(environment.log(), "reward/shortfall")).isEqualTo(25, within(1e-9));
    assertThat(paid).isEqualTo(2 * (25 - 56.25), within(1e-9));

    simulator.step(ChildOrder.market(40));
    EnvContext second = outside();
    new VariancePenalisedReward(0.01, 1).reward(simulator.state(), second);
    // Nothing moved at first, then a quarter was held through -100 bp.
    assertThat(number(second.log(), "reward/risk")).isEqualTo(-0.01 * 25 * 25, within(1e-9));
  }

  private static double number(LogCollector log, String name) {
    return log.entries().get(name) instanceof LogCollector.Entry(_, Double value)
        ? value
        : Double.NaN;
  }

  @Test
  void aRewardThatIsNotFiniteNamesTheOrderTheStepAndTheTerm() {
    SimpleSimulator simulator =
        simulator(Episodes.rising(4), Episodes.order(Side.SELL, 80, 0, 4), 2, Frictions.NONE);
    simulator.step(ChildOrder.market(10));
    ExecutionState state = simulator.state();
    EnvContext environment = outside();

    assertThatThrownBy(
            () -> new FiniteReward("mine", (_, _) -> Double.NaN).reward(state, environment))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("reward term mine must be finite, was NaN at step 1 of Order[")
        .hasMessageContaining("SH600000");
    assertThatThrownBy(
            () ->
                new AdvantagePenaltyReward(Double.POSITIVE_INFINITY, 1, Weight.FILLED)
                    .reward(state, environment))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("reward term penalty must be finite, was -Infinity at step 1");
  }

  @Test
  void aRewardNeedsAStep() {
    ExecutionState start =
        simulator(Episodes.rising(4), Episodes.order(Side.SELL, 80, 0, 4), 2, Frictions.NONE)
            .state();

    assertThatThrownBy(() -> ADVANTAGE.reward(start, outside()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a step must have been taken");
  }
}
