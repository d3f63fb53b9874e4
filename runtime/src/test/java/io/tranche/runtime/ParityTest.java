package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Streamed decisions are those of the simulator, to the last bit.
class ParityTest {

  private static final int ORDERS = Cases.count(8, 200);

  static List<String> networks() {
    return List.of(
        "{class: RecurrentNetwork, kwargs: {hidden: 12}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 64}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 33, cell: lstm}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 16, cell: rnn, depth: 2}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 17, cell: gru, depth: 2}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 8, cell: lstm, depth: 2}}",
        "{class: Mlp}",
        "{class: Mlp, kwargs: {layers: [dense: 8, norm, relu, residual: [dense: 8, dropout: 0.5]]}}",
        "{class: DualAttention, kwargs: {hidden: 16}}",
        "{class: CausalTransformer, kwargs: {hidden: 16, heads: 2, inner: 20}}",
        "{class: Layers, kwargs: {hidden: 7, output: 6, layers: [dense: 8, relu, positions: 240,"
            + " residual: [norm, attention: 2, dense: 8], dropout: 0.1,"
            + " concat: [[gru: {width: 3, depth: 2}, tanh], lstm: 4, sigmoid], rnn: 5]}}");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyNetworkDecidesAsInTheSimulator(String network) {
    ModelSpec spec = TestModel.spec(network, TestModel.PPO, TestModel.SHARES);

    compare(spec);
    compare(TestModel.over(spec, Session.CHINA_STOCKS, Frequency.MINUTE, 30, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: Dqn, kwargs: {learning_rate: 0.001}}
          {class: QuantileDqn, kwargs: {learning_rate: 0.001, quantiles: 4, tail: 0.4}}
          {class: DQN, module_path: qlib.rl.order_execution, kwargs: {lr: 0.001}}
          {class: PPO, module_path: qlib.rl.order_execution, kwargs: {lr: 0.001}}
          """)
  void everyPolicyDecidesAsInTheSimulator(String policy) {
    compare(TestModel.spec(TestModel.RECURRENT, policy, TestModel.SHARES));
  }

  @ParameterizedTest
  @CsvSource({
    "cn_stocks, 5min, 6",
    "us_stocks, 1min, 17",
    "cn_futures, 1min, 30",
    "crypto, 30min, 1"
  })
  void everySessionDecidesAsInTheSimulator(String session, String frequency, int ticksPerStep) {
    compare(
        TestModel.over(
            TestModel.plainSpec(),
            Session.named(session),
            Frequency.parse(frequency),
            ticksPerStep,
            true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: QuoteInterpreter, kwargs: {shares: 2, offsets_bps: [market, 5, -5]}} | false
          {class: qlib.rl.order_execution.CategoricalActionInterpreter, kwargs: {values: 4}} | true
          {class: qlib.rl.order_execution.CategoricalActionInterpreter, kwargs: {values: [0, 0.3, 1.5], max_step: 5}} | true
          """)
  void everyKindOfActionDecidesAsInTheSimulator(String actions, boolean isQlib) {
    ModelSpec spec = TestModel.spec(TestModel.RECURRENT, TestModel.PPO, actions);

    compare(isQlib ? spec.withQlib(true) : spec);
  }

  /// Works random orders on one day in the simulator, then all of them together as they stream.
  private static void compare(ModelSpec spec) {
    var random = new SplittableRandom(spec.ticks());
    var day = new TestDay(spec, "A", random);
    List<Order> orders = Stream.generate(() -> day.draw(random)).limit(ORDERS).toList();
    Worked worked = workWithSeveralChoices(spec, day, orders);
    DecisionRuntime runtime = worked.model().newRuntime();
    LiveDay live = day.open(runtime);
    int[] taken = new int[ORDERS];
    Consumer<LiveOrder> follow =
        order -> {
          int i = Integer.parseInt(order.id());
          TestDay.Simulated simulated = worked.orders().get(i).get(taken[i]++);
          boolean finishes = simulated.isLast() && !spec.isQlib();
          assertThat(order.choice()).isEqualTo(simulated.choice());
          assertThat(order.volume()).isEqualTo(finishes ? order.remaining() : simulated.volume());
          if (!simulated.isLast() && simulated.filled() > 0) {
            order.fill(simulated.filled(), simulated.price());
          }
        };

    for (int tick = 0; tick < day.count(); tick++) {
      for (int i = 0; i < ORDERS; i++) {
        Order order = orders.get(i);
        // Some come early, some at the moment of their first decision.
        int wait = live.ceiling(BarTime.of(order.start())) - tick;
        if (wait <= i % 3 * 20 && runtime.order("" + i) == null) {
          live.openOrder("" + i, order.side(), order.amount(), order.start(), order.end());
        }
      }
      if (tick % 2 == 0) {
        runtime.decideAll(follow);
      } else {
        decideOneByOne(runtime, follow);
      }
      assertThat(live.bar(day.times[tick], day.bar(tick))).isEqualTo(BarAnswer.TAKEN);
    }

    for (int i = 0; i < ORDERS; i++) {
      assertThat(taken[i]).isEqualTo(worked.orders().get(i).size());
    }
  }

  private static void decideOneByOne(DecisionRuntime runtime, Consumer<LiveOrder> decisions) {
    for (LiveOrder order : runtime.orders()) {
      if (order.isDue()) {
        order.decide();
        decisions.accept(order);
      }
    }
  }

  private record Worked(TestModel model, List<List<TestDay.Simulated>> orders) {}

  /// Draws models until one takes different choices.
  private static Worked workWithSeveralChoices(ModelSpec spec, TestDay day, List<Order> orders) {
    for (long seed = 0; seed < 200; seed++) {
      TestModel model = TestModel.draw(spec, 1, seed);
      List<List<TestDay.Simulated>> steps =
          orders.stream().map(order -> day.simulate(model, order)).toList();
      if (steps.stream()
              .flatMap(List::stream)
              .mapToInt(TestDay.Simulated::choice)
              .distinct()
              .count()
          > 1) {
        return new Worked(model, steps);
      }
    }
    throw new AssertionError("no model took different choices");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void scoresAreThoseOfTheModelToTheLastBit(String network) {
    ModelSpec spec = TestModel.spec(network, TestModel.PPO, TestModel.SHARES);
    var random = new SplittableRandom(3);
    var day = new TestDay(spec, "A", random);
    TestModel model = TestModel.draw(spec, 1, 5);
    var network0 = ((ActorCritic<FullHistoryObservation>) model.agents().getFirst()).model();
    var evaluation = network0.newEvaluation(ORDERS);
    LivePolicy live = model.agents().getFirst().newLivePolicy(ORDERS);
    var stream = live.newDay(yesterday(day), day.count());
    List<List<TestDay.Simulated>> orders =
        Stream.generate(() -> day.simulate(model, day.draw(random))).limit(ORDERS).toList();
    var episodes =
        orders.stream()
            .map(steps -> live.newEpisode(steps.getFirst().observation().sideCode()))
            .toList();

    for (int tick = 0; tick < day.count(); tick++) {
      var seen = new ArrayList<FullHistoryObservation>();
      for (int i = 0; i < ORDERS; i++) {
        for (TestDay.Simulated step : orders.get(i)) {
          FullHistoryObservation each = step.observation();
          if (each.tick() == tick) {
            float remaining = each.remainingAt(each.step()) / each.target();
            float progress = (float) each.step() / each.maxSteps();
            live.put(seen.size(), stream, episodes.get(i), remaining, progress);
            seen.add(each);
          }
        }
      }
      if (!seen.isEmpty()) {
        evaluation.evaluate(seen);
        Rows expected = evaluation.output(0);
        Softmax.forward(seen.size(), live.choices(), expected);
        int count = seen.size() * live.choices();
        assertThat(Arrays.copyOf(live.evaluate(seen.size()), count))
            .isEqualTo(
                Arrays.copyOfRange(
                    expected.data(), expected.offset(0), expected.offset(0) + count));
      }
      stream.append(day.today, tick * TestModel.COLUMNS.today().size());
    }
  }

  private static float[] yesterday(TestDay day) {
    var features = day.day("A", TestDay.DATE);
    int width = TestModel.COLUMNS.yesterday().size();
    float[] rows = new float[day.count() * width];
    features.copyYesterday(0, day.count(), rows, 0);
    return rows;
  }
}
