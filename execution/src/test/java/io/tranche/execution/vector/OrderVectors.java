package io.tranche.execution.vector;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Frictions;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Order;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Iterator;
import java.util.List;

/// Orders on the embedded market, and vectors that work them.
final class OrderVectors {

  private static final LocalDate FIRST = LocalDate.of(2024, 1, 8);
  private static final int CACHED_DAYS = 64;
  private static final LocalDate LAST = LocalDate.of(2024, 1, 12);

  private final Path store;
  private final List<Order> orders;

  /// Writes a small feature store into `folder`.
  OrderVectors(Path folder) throws IOException {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(2, 12));
    store = folder.resolve("features");
    FeaturePipeline.run(
        market,
        FeatureConfig.from(
            ConfigFiles.parse(
                "features",
                """
                start: "%s"
                end: "%s"
                day_length: 48
                columns: [$open, $close]
                norm_groups: {price: 4, volume: 2}
                """
                    .formatted(FIRST, LAST))),
        store,
        1,
        (_, _, _) -> {});
    orders =
        OrderGenerator.DEFAULT.generate(market).stream()
            .filter(order -> !order.date().isBefore(FIRST) && !order.date().isAfter(LAST))
            .map(order -> order.between(LocalTime.of(9, 40), LocalTime.of(14, 50)))
            .toList();
  }

  List<Order> orders() {
    return orders;
  }

  Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation> problem() {
    FeatureStore features = FeatureStore.open(store);
    return new Problem<>(
        new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.NATIVE)
            .over(
                CachedTicks.of(
                    features.backtest(
                        new FeatureColumns(List.of("$close0", "$volume0"), List.of()), 1),
                    CachedTicks.Gaps.NONE,
                    CACHED_DAYS)),
        new FullHistoryInterpreter(
            8,
            48,
            2,
            features.features(
                new FeatureColumns(List.of("$close", "$volume"), List.of("$close_1", "$volume_1")),
                CACHED_DAYS)),
        CategoricalInterpreter.of(List.of(0.0, 0.05, 0.1, 0.15, 0.2)),
        null);
  }

  /// @param mode of the reward at `at`
  <O extends Observation> FiniteVectorEnv<Order, O> make(
      Problem<Order, ExecutionState, ChildOrder, O> sound,
      int threads,
      int size,
      Iterator<Order> starts,
      String mode,
      Order at) {
    var problem =
        new Problem<>(
            sound.simulators(),
            sound.stateInterpreter(),
            sound.actionInterpreter(),
            new Mischief(mode, at.instrument(), at.date().toString()));
    return new FiniteVectorEnv<>(problem, starts, VectorConfig.of(size), List.of(), threads);
  }

  /// Works all that the vector has to work.
  static <O extends Observation> CollectResult collect(
      FiniteVectorEnv<Order, O> environments, TrajectoryListener<O> listener, long seed) {
    return environments.guarded(
        () ->
            new Collector<>(
                    OrderVectors::random,
                    Policy.Mode.TRAIN,
                    environments,
                    listener,
                    Collector.Resets.NEEDED,
                    seed,
                    0)
                .collectAll());
  }

  /// Chooses one of five shares as its draw keys will have it.
  static <O> Action[] random(List<O> observations, long[] keys, Policy.Mode mode) {
    var actions = new Action[keys.length];
    for (int row = 0; row < actions.length; row++) {
      actions[row] = new Action.Discrete(RandomTree.generator(keys[row]).nextInt(5));
    }
    return actions;
  }
}
