package io.tranche.execution.vector;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.env.EpisodeFailure;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.env.space.Action;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.Episodes;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.CurrentStepObservation;
import io.tranche.execution.reward.ShortfallReward;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Leftovers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whatever an order brings along: one named exception that says which order, where and what,
/// nothing left running, and the next collect works.
///
/// Native names only; what Qlib's do is golden.
class BadInputTest {

  private static final int TICKS = 60;
  private static final Order GOOD = Episodes.order(Side.BUY, 40, 0, TICKS);
  private static final TrajectoryListener<CurrentStepObservation> NOBODY = _ -> {};

  /// An order that is told from the good ones by its amount.
  private static final double ODD = 13;

  private static final Order ODD_ORDER = Episodes.order(Side.SELL, ODD, 0, TICKS);

  /// Trades a quarter at a time, and says nonsense to the odd order.
  private static final Policy<CurrentStepObservation> POLICY =
      (observations, _, _) ->
          observations.stream()
              .map(seen -> new Action.Discrete(seen.target() == ODD && seen.step() == 1 ? 9 : 1))
              .toArray(Action[]::new);

  private static final Policy<CurrentStepObservation> SOUND_POLICY =
      (observations, _, _) ->
          Stream.generate(() -> new Action.Discrete(1))
              .limit(observations.size())
              .toArray(Action[]::new);

  @AfterEach
  void nothingIsLeftRunning() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("tranche-"));
    Leftovers.assertNoProcesses();
  }

  private static Problem<Order, ExecutionState, ChildOrder, CurrentStepObservation> problem(
      DayTicks odd, Reward<ExecutionState> reward) {
    return new Problem<>(
        SimpleSimulatorConfig.DEFAULT
            .withMinutesPerStep(10)
            .over(order -> order.amount() == ODD ? odd : Episodes.rising(TICKS)),
        CurrentStepInterpreter.of(6),
        CategoricalInterpreter.of(CategoricalInterpreter.evenShares(4)),
        reward);
  }

  private static FiniteVectorEnv<Order, CurrentStepObservation> environments(
      Problem<Order, ?, ?, CurrentStepObservation> problem, Order... orders) {
    return new FiniteVectorEnv<>(
        problem, List.of(orders).iterator(), VectorConfig.of(2), List.of(), 2);
  }

  private static CollectResult collect(
      FiniteVectorEnv<Order, CurrentStepObservation> environments,
      Policy<CurrentStepObservation> policy,
      TrajectoryListener<CurrentStepObservation> listener) {
    return environments.guarded(
        () ->
            new Collector<>(
                    policy,
                    Policy.Mode.TRAIN,
                    environments,
                    listener,
                    Collector.Resets.NEEDED,
                    1,
                    0)
                .collectEpisodes(2));
  }

  /// Works a bad order among good ones, and then more good ones.
  private static EpisodeFailure failure(
      Problem<Order, ?, ?, CurrentStepObservation> problem,
      Order bad,
      Policy<CurrentStepObservation> policy) {
    try (var environments = environments(problem, bad, GOOD, GOOD, GOOD, GOOD)) {
      CollectResult first = collect(environments, policy, NOBODY);
      assertThat(first.episodes()).isEqualTo(2);
      assertThat(first.failures()).hasSize(1);

      CollectResult next = collect(environments, policy, NOBODY);
      assertThat(next.episodes()).isEqualTo(2);
      assertThat(next.failures()).isEmpty();

      EpisodeFailure failure = first.failures().getFirst();
      assertThat(failure.initialState()).isEqualTo(bad.toString());
      return failure;
    }
  }

  private static void assertDataRefused(DayTicks ticks, Order bad, String message, String symptom) {
    EpisodeFailure failure = failure(problem(ticks, new ShortfallReward(1)), bad, SOUND_POLICY);

    assertThat(failure.cause()).isInstanceOf(DataException.class).hasMessage(message);
    assertThat(message).contains(symptom);
    assertDocumented(symptom);
  }

  private static DayTicks withGap(double price, double volume) {
    double[] prices = new double[TICKS];
    double[] volumes = new double[TICKS];
    for (int tick = 0; tick < TICKS; tick++) {
      prices[tick] = tick == 12 ? price : 10;
      volumes[tick] = tick == 12 ? volume : 100;
    }
    return Episodes.day(prices, volumes);
  }

  @Test
  void aDeclaredMissingBarIsATickWithoutVolume() {
    var problem = problem(withGap(Double.NaN, Double.NaN), new ShortfallReward(1));
    try (var environments = environments(problem, ODD_ORDER, GOOD)) {
      CollectResult result = collect(environments, SOUND_POLICY, NOBODY);

      assertThat(result.failures()).isEmpty();
      assertThat(result.episodes()).isEqualTo(2);
    }
  }

  @Test
  void anyOtherMissingNumberIsRefused() {
    String where = "order SELL 13.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T10:29:59, ";

    assertDataRefused(
        withGap(Double.NaN, 100),
        ODD_ORDER,
        where + "tick 12 (2021-03-01 09:42:00): expected a positive price, was NaN",
        "expected a positive price, was NaN");
    assertDataRefused(
        withGap(10, Double.NaN),
        ODD_ORDER,
        where + "tick 12 (2021-03-01 09:42:00): expected a volume that is not negative, was NaN",
        "expected a volume that is not negative, was NaN");
  }

  @Test
  void anActionOutsideItsSpaceIsRefused() {
    EpisodeFailure failure =
        failure(problem(Episodes.rising(TICKS), new ShortfallReward(1)), ODD_ORDER, POLICY);

    assertThat(failure.step()).isEqualTo(2);
    assertThat(failure.cause())
        .isInstanceOf(SpaceException.class)
        .hasMessageContaining("must be a whole number in [0, 4], was 9")
        .hasMessageEndingWith(
            ", at step 2 of %s: tick 10 (2021-03-01 09:40:00), 9.75 left".formatted(ODD_ORDER));
    assertDocumented("must be a whole number in [0, 4], was 9");
  }

  @Test
  void aWindowWithoutTicksIsRefused() {
    assertDataRefused(
        Episodes.rising(TICKS),
        Episodes.order(Side.SELL, ODD, 200, 210),
        "order SELL 13.0 SH600000, 2021-03-01T12:50 .. 2021-03-01T12:59:59: "
            + "expected a tick of the day in its window, was none",
        "expected a tick of the day in its window, was none");
  }

  @Test
  void anEndOnAnotherDayIsRefused() {
    assertDataRefused(
        Episodes.rising(TICKS),
        Episodes.order(Side.SELL, ODD, 0, 24 * 60),
        "order SELL 13.0 SH600000, 2021-03-01T09:30 .. 2021-03-02T09:29:59: "
            + "expected an end on the trading day 2021-03-01, was 2021-03-02T09:29:59",
        "expected an end on the trading day 2021-03-01, was 2021-03-02T09:29:59");
  }

  @Test
  void anAmountThatIsNotPositiveIsRefused() {
    assertDataRefused(
        Episodes.rising(TICKS),
        Episodes.order(Side.SELL, 0, 0, TICKS),
        "order SELL 0.0 SH600000, 2021-03-01T09:30 .. 2021-03-01T10:29:59: "
            + "expected a positive amount, was 0.0",
        "expected a positive amount, was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Episodes.order(Side.SELL, -1, 0, TICKS))
        .withMessage("amount must be finite and not negative, was -1.0");
  }

  @Test
  void aRewardThatIsNotFiniteIsRefused() {
    Reward<ExecutionState> reward =
        (state, _) -> state.order().amount() == ODD && state.step() == 3 ? Double.NaN : 0;

    EpisodeFailure failure =
        failure(problem(Episodes.rising(TICKS), reward), ODD_ORDER, SOUND_POLICY);

    assertThat(failure.cause())
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("reward must be finite, was NaN at step 3 of " + ODD_ORDER);
    assertDocumented("reward must be finite, was NaN");
  }

  @Test
  void aVectorOfNoEnvironmentsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorConfig.of(0))
        .withMessage("size must be at least 1, was 0");
  }

  // What a child process may do to us: OrderVectorsTest.
  @Test
  void aWorkerThatDiesNamesTheOrderItHeld() {
    Reward<ExecutionState> reward =
        (state, _) -> {
          if (state.order().amount() == ODD && state.step() == 3) {
            throw new StackOverflowError("too deep");
          }
          return 0;
        };
    try (var environments =
        environments(problem(Episodes.rising(TICKS), reward), ODD_ORDER, GOOD, GOOD, GOOD)) {
      assertThatExceptionOfType(EnvironmentException.class)
          .isThrownBy(() -> collect(environments, SOUND_POLICY, NOBODY))
          .withMessageContaining(ODD_ORDER.toString())
          .withMessageContaining("at step 3")
          .withMessageContaining("too deep")
          .withCauseInstanceOf(StackOverflowError.class);
      nothingIsLeftRunning();

      assertThat(collect(environments, SOUND_POLICY, NOBODY).episodes()).isEqualTo(2);
    }
  }

  @Test
  void aConsumerMayStopEarly() {
    var orders = Stream.generate(() -> GOOD).limit(100).toList();
    var problem = problem(Episodes.rising(TICKS), new ShortfallReward(1));
    TrajectoryListener<CurrentStepObservation> full =
        step -> {
          if (step.step() == 1) {
            throw new IllegalStateException("the buffer is full");
          }
        };
    var queueConfig = DataQueueConfig.DEFAULT.withProducers(2, 4);
    try (var queue = new DataQueue<>(orders, queueConfig).activate();
        var environments =
            new FiniteVectorEnv<>(problem, queue.iterator(), VectorConfig.of(2), List.of(), 2)) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> collect(environments, SOUND_POLICY, full))
          .withMessage("the buffer is full");

      assertThat(collect(environments, SOUND_POLICY, NOBODY).episodes()).isEqualTo(2);
    }
  }
}
