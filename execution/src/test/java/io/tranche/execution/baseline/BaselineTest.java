package io.tranche.execution.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Policy.Mode;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.execution.Episodes;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BaselineTest {

  private static final EvaluationPermit PERMIT = new EvaluationPermit("a test's upper bound");
  private static final Reward<ExecutionState> ADVANTAGE =
      new AdvantagePenaltyReward(0, 1, Weight.FILLED);

  private static List<Baseline> all(PastDays days) {
    var history = new VolumeHistory(days, 3);
    return List.of(
        new TwapBaseline(),
        new ImmediateBaseline(),
        new FrontLoadedBaseline(2),
        new AlmgrenChrissBaseline(1e-3, 0.5, 1e-3, 1e-4),
        new VwapBaseline(history),
        new PovBaseline(0.1, history),
        new VwapBaseline(new LearnedVolume(days)),
        new PovBaseline(0.1, new LearnedVolume(days)));
  }

  private static SimpleSimulator simulator(DayTicks ticks, Order order, int ticksPerStep) {
    return SimpleSimulatorConfig.DEFAULT
        .withMinutesPerStep(ticksPerStep)
        .over(_ -> ticks)
        .create(order);
  }

  /// Returns what a rule trades at each decision.
  private static List<Double> schedule(SimpleSimulator simulator, Baseline baseline) {
    return schedule(simulator, baseline, Integer.MAX_VALUE);
  }

  /// Returns what a rule trades at each decision until the tick `now`.
  private static List<Double> schedule(SimpleSimulator simulator, Baseline baseline, int now) {
    var volumes = new ArrayList<Double>();
    while (!simulator.isDone() && simulator.state().tick() <= now) {
      double volume = baseline.volume(new DecisionInterpreter().observe(simulator.state()));
      assertThat(volume).isBetween(0.0, simulator.state().remaining());
      volumes.add(volume);
      simulator.step(ChildOrder.market(volume));
    }
    return volumes;
  }

  private static Order order(SplittableRandom random, int ticks) {
    int from = random.nextInt(ticks);
    Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
    return Episodes.order(side, random.nextDouble(1, 5000), from, random.nextInt(from, ticks) + 1);
  }

  private static float[] volumes(SplittableRandom random, int ticks) {
    float[] volumes = new float[ticks];
    for (int i = 0; i < ticks; i++) {
      volumes[i] = random.nextInt(5) == 0 ? Float.NaN : random.nextInt(0, 1000);
    }
    return volumes;
  }

  @Test
  void schedulesAddUpToTheOrder() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          int n = ticks.count();
          var days = PastDays.of(volumes(random, n), volumes(random, n), volumes(random, n));
          int ticksPerStep = random.nextInt(1, 20);
          for (Baseline baseline : all(days)) {

            List<Double> volumes = schedule(simulator(ticks, order, ticksPerStep), baseline);

            assertThat(volumes.stream().mapToDouble(Double::doubleValue).sum())
                .as(baseline.toString())
                .isEqualTo(order.amount(), within(1e-8 * order.amount()));
          }
        });
  }

  @Test
  void noRuleLooksAhead() {
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          int ticks = random.nextInt(2, 40);
          int now = random.nextInt(ticks);
          double[] prices = random.doubles(ticks, 1, 100).toArray();
          double[] traded = random.doubles(ticks, 0, 1000).toArray();
          Order order = order(random, ticks);
          int ticksPerStep = random.nextInt(1, 20);
          double[] otherPrices = prices.clone();
          double[] otherTraded = traded.clone();
          float[] past = volumes(random, ticks);
          for (int tick = now; tick < ticks; tick++) {
            otherPrices[tick] = random.nextDouble(1, 100);
            otherTraded[tick] = random.nextDouble(0, 1000);
          }
          var days = PastDays.of(past, singles(traded));
          var otherDays = PastDays.of(past, singles(otherTraded));
          for (int i = 0; i < all(days).size(); i++) {
            List<Double> volumes =
                schedule(
                    simulator(Episodes.day(prices, traded), order, ticksPerStep),
                    all(days).get(i),
                    now);
            List<Double> others =
                schedule(
                    simulator(Episodes.day(otherPrices, otherTraded), order, ticksPerStep),
                    all(otherDays).get(i),
                    now);

            assertThat(others).isEqualTo(volumes);
          }
        });
  }

  private static float[] singles(double[] values) {
    float[] singles = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      singles[i] = (float) values[i];
    }
    return singles;
  }

  @Test
  void aViewRefusesWhatIsStillToCome() {
    SimpleSimulator simulator =
        simulator(Episodes.rising(20), Episodes.order(Side.BUY, 80, 0, 20), 5);
    simulator.step(ChildOrder.market(10));
    DecisionView view = new DecisionInterpreter().observe(simulator.state());

    assertThat(view.price(4)).isEqualTo(14);
    assertThatThrownBy(() -> view.price(5))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("tick must be over, in [0, 5), was 5");
    assertThatThrownBy(() -> view.volume(19)).isInstanceOf(IndexOutOfBoundsException.class);
    DecisionInterpreter.SPACE.validate(view.toValue());
  }

  @Test
  void twapGivesAShortFirstStepLess() {
    assertThat(
            schedule(
                simulator(Episodes.rising(20), Episodes.order(Side.BUY, 90, 4, 13), 6),
                new TwapBaseline()))
        .containsExactly(20.0, 60.0, 10.0);
  }

  @Test
  void vwapTradesAsTheMarketUsuallyDoes() {
    // Averages 10, 20, 30, 40 of two days; today is not looked at.
    var days =
        PastDays.of(
            new float[] {5, 20, 40, 35}, new float[] {15, 20, 20, 45}, new float[] {9, 9, 9, 9});

    assertThat(
            schedule(
                simulator(Episodes.rising(4), Episodes.order(Side.BUY, 100, 0, 4), 1),
                new VwapBaseline(new VolumeHistory(days, 10))))
        .usingComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1, Double.class)
        .containsExactly(10.0, 20.0, 30.0, 40.0);
  }

  @Test
  void povKeepsUpWithWhatTheMarketReallyTraded() {
    var days = PastDays.of(new float[] {100, 100, 100, 100}, new float[4]);
    DayTicks ticks = Episodes.day(new double[] {10, 10, 10, 10}, 300, 50, 100, 100);

    List<Double> volumes =
        schedule(
            simulator(ticks, Episodes.order(Side.SELL, 100, 0, 4), 1),
            new PovBaseline(0.1, new VolumeHistory(days, 10)));

    // 10 % of 100 expected; then of 300 + 100, of 350 + 100; the last takes what is left.
    assertThat(volumes)
        .usingComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1, Double.class)
        .containsExactly(10.0, 30.0, 5.0, 55.0);
  }

  @Test
  void frontLoadingLeavesAQuarterAtHalfTime() {
    assertThat(
            schedule(
                simulator(Episodes.rising(20), Episodes.order(Side.BUY, 80, 0, 20), 10),
                new FrontLoadedBaseline(2)))
        .containsExactly(60.0, 20.0);
  }

  @Test
  void nothingBeatsTheOracle() {
    Cases.forAll(
        Cases.count(1_000, 20_000),
        random -> {
          DayTicks ticks = Episodes.random(random, random.nextInt(1, 60));
          Order order = order(random, ticks.count());
          int ticksPerStep = random.nextInt(1, 20);
          var days = PastDays.of(volumes(random, ticks.count()), volumes(random, ticks.count()));

          double best =
              paid(
                  ticks,
                  order,
                  ticksPerStep,
                  new HindsightInterpreter(PERMIT),
                  new OraclePolicy(PERMIT, Double.POSITIVE_INFINITY));

          for (Baseline baseline : all(days)) {
            assertThat(paid(ticks, order, ticksPerStep, new DecisionInterpreter(), baseline))
                .as(baseline.toString())
                .isLessThanOrEqualTo(best + 1e-6);
          }
        });
  }

  /// Returns what a policy earns in an environment, which is the order's price advantage.
  private static <O extends Observation> double paid(
      DayTicks ticks,
      Order order,
      int ticksPerStep,
      StateInterpreter<ExecutionState, O> interpreter,
      Policy<O> policy) {
    var environment =
        new Problem<>(
                SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(ticksPerStep).over(_ -> ticks),
                interpreter,
                new VolumeInterpreter(),
                ADVANTAGE)
            .open(new LogCollector());
    O seen = environment.begin(order);
    while (!environment.isDone()) {
      seen =
          environment.step(policy.act(List.of(seen), new long[1], Mode.EVALUATE)[0]).observation();
    }
    return Arrays.stream(environment.episode().rewards()).sum();
  }

  @Test
  void theOracleFillsTheBestStepsFirstUnderACap() {
    DayTicks ticks =
        Episodes.day(new double[] {12, 12, 10, 10, 11, 11}, 100, 100, 100, 100, 100, 100);
    SimpleSimulator simulator =
        SimpleSimulatorConfig.DEFAULT
            .withMinutesPerStep(2)
            .withFrictions(Frictions.NONE.withParticipation(0.1))
            .over(_ -> ticks)
            .create(Episodes.order(Side.BUY, 30, 0, 6));
    var oracle = new OraclePolicy(PERMIT, 0.1);
    var interpreter = new HindsightInterpreter(PERMIT);

    while (!simulator.isDone()) {
      Action[] actions =
          oracle.act(List.of(interpreter.observe(simulator.state())), new long[1], Mode.EVALUATE);
      simulator.step(new VolumeInterpreter().act(simulator.state(), actions[0]));
    }

    assertThat(simulator.state().stepRows())
        .extracting(row -> row.filledAmount())
        .containsExactly(0.0, 20.0, 10.0);
  }

  @Test
  void theOracleIsRefusedOutsideAnEvaluation() {
    var oracle = new OraclePolicy(PERMIT, 1);

    assertThatThrownBy(() -> oracle.act(List.of(), new long[0], Mode.TRAIN))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the oracle must only act in an evaluation, was TRAIN");
    assertThatThrownBy(() -> new EvaluationPermit(" "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
