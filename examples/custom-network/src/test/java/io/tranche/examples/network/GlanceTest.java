package io.tranche.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Space;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.tensor.layer.GradientCheck;
import io.tranche.tensor.layer.Layers;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlanceTest {

  private static final LocalDate DAY = LocalDate.of(2021, 3, 1);
  private static final int TICKS = 16;
  private static final int CHOICES = 5;
  private static final int ENVIRONMENTS = 4;

  /// Qlib's settings, but for what is added to the deviation of advantages: once all orders do
  /// equally well, that is 0.
  private static final PpoConfig CONFIG = PpoConfig.DEFAULT.withLearningRate(0.01);

  private static Network.Factory<FullHistoryObservation> glance(String settings) {
    return network("{class: Glance, kwargs: %s}".formatted(settings));
  }

  private static Network.Factory<FullHistoryObservation> network(String text) {
    return PolicyCatalog.network(
        ConfigFiles.parse("network", text),
        BuildContext.of(FullHistoryInterpreter.space(4, TICKS, 1), new Space.Discrete(CHOICES), 1));
  }

  private static long[] times() {
    long[] times = new long[TICKS];
    Arrays.setAll(times, i -> BarTime.of(DAY.atTime(9, 30)) + 60L * i);
    return times;
  }

  /// Prices fall all day; the one feature says how late it is.
  private record FallingPrices(DayFeatures features) implements FeatureSource {

    static FallingPrices create() {
      float[] late = new float[TICKS];
      for (int i = 0; i < TICKS; i++) {
        late[i] = (float) i / TICKS;
      }
      var columns = new FeatureColumns(List.of("$late"), List.of("$late_1"));
      return new FallingPrices(DayFeatures.wrap("FALL", DAY, columns, times(), late, late.clone()));
    }

    static DayTicks ticks() {
      double[] prices = new double[TICKS];
      Arrays.setAll(prices, i -> 10 - 0.01 * i);
      double[] volumes = new double[TICKS];
      Arrays.fill(volumes, 1000);
      return DayTicks.of("FALL", times(), prices, volumes, false);
    }

    @Override
    public FeatureColumns columns() {
      return features.columns();
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      return features;
    }
  }

  private static Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation> problem() {
    DayTicks ticks = FallingPrices.ticks();
    var simulators = SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(4).over(_ -> ticks);
    return new Problem<>(
        simulators,
        new FullHistoryInterpreter(4, TICKS, 1, FallingPrices.create()),
        CategoricalInterpreter.of(CategoricalInterpreter.evenShares(CHOICES - 1)),
        new AdvantagePenaltyReward(0, 1, Weight.FILLED));
  }

  private static Order sale() {
    return new Order("FALL", Side.SELL, 100, DAY.atTime(9, 30), DAY.atTime(9, 45));
  }

  /// Returns what `policy` earns with 32 orders, a mean, and hands each step to `buffer`.
  private static double earned(
      Policy<FullHistoryObservation> policy,
      Policy.Mode mode,
      ReplayBuffer<FullHistoryObservation> buffer,
      int iteration) {
    var orders = IntStream.range(0, 32).mapToObj(_ -> sale()).iterator();
    try (var environments =
        new FiniteVectorEnv<>(problem(), orders, VectorConfig.of(ENVIRONMENTS), List.of(), 1)) {
      var collector =
          new Collector<>(
              policy, mode, environments, buffer, Collector.Resets.NEEDED, 1, iteration);
      CollectResult result = environments.guarded(collector::collectAll);
      return result.rewards().stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /// The network of the plug-in, and its layer over the day and over one observation.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{class: Glance, kwargs: {hidden: 16}}",
        "{class: Layers, kwargs: {hidden: 8, output: 8, layers: [dense: 8, {class: Gain}, gru: 8]}}",
        "{class: Mlp, kwargs: {layers: [dense: 16, relu, residual: [{class: Gain}]]}}"
      })
  void aFewUpdatesTeachItToSellBeforePricesFall(String text) {
    try (var parallel = new ParallelFor(1)) {
      var agent =
          ActorCritic.create(
              network(text), CHOICES, RandomTree.generator(RandomTree.root(1, "weights")));
      var ppo = new Ppo<>(agent, CONFIG, parallel);
      Policy<FullHistoryObservation> policy = agent.newPolicy(ENVIRONMENTS);
      var steps = new Transitions<FullHistoryObservation>();
      double first = 0;
      double last = 0;
      for (int iteration = 0; iteration < 12; iteration++) {
        var buffer = new ReplayBuffer<FullHistoryObservation>(1024, ENVIRONMENTS);
        last = earned(policy, Policy.Mode.TRAIN, buffer, iteration);
        first = iteration == 0 ? last : first;
        buffer.copyTo(steps);
        ppo.update(
            steps,
            new UpdateSettings(64, 4, Batching.EPISODES),
            RandomTree.key(1, "update", iteration));
      }

      assertThat(last).isGreaterThan(first + 10);
    }
  }

  @Test
  void theGradientsOfTheLayerAreItsDerivatives() {
    GradientCheck.require(Gain::create, 5, 1);
    GradientCheck.require(Layers.sequence(Layers.gru(4), Gain::create, Layers.dense(2)), 5, 2);
  }

  @Test
  void badSettingsAreNamed() {
    assertThatThrownBy(() -> glance("{hidden: 0}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kwargs.hidden: expected a positive integer, was 0");
  }
}
