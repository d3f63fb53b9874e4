package io.tranche.experiment;

import io.tranche.analysis.Candidate;
import io.tranche.analysis.Evaluation;
import io.tranche.analysis.PolicyResults;
import io.tranche.analysis.Yardsticks;
import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Frictions;
import io.tranche.env.LogLevel;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorFactory;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.CachedBars;
import io.tranche.market.Order;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.Model;
import io.tranche.policy.ppo.Ppo;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The embedded market, its orders, and a loop that trains on them by the native recipe: what a
/// trainer does, without its comforts.
final class SmallRun implements AutoCloseable {

  static final int STEPS = 8;
  private static final int TICKS = 48;
  private static final int STEP_MINUTES = 30;
  private static final int KEPT = 40_000;

  final NativeDefaults recipe;
  final SyntheticMarket market;
  final CachedBars bars;
  final FullHistoryInterpreter states;
  final SimulatorFactory simulators;
  final ParallelFor parallel;
  private final FeatureSource features;
  private final long seed;

  SmallRun(NativeDefaults recipe, SyntheticConfig config, int threads) {
    this.recipe = recipe;
    this.seed = config.seed();
    market = new SyntheticMarket(config);
    bars = new CachedBars(market, config.instruments());
    features = NativeDefaults.features(bars, KEPT);
    states = recipe.states(STEPS, TICKS, features, KEPT);
    simulators =
        new SimpleSimulatorConfig(STEP_MINUTES, 5, Frictions.NONE, Dialect.NATIVE, List.of())
            .over(CachedTicks.of(bars, DealPrice.CLOSE, KEPT));
    parallel = new ParallelFor(threads);
  }

  /// Returns an order of either side for every instrument and day of `split`.
  List<Order> orders(Split split) {
    var orders = new ArrayList<Order>();
    for (var order : OrderGenerator.DEFAULT.withSeed(seed).generate(bars)) {
      if (market.split(market.calendar().dayOf(order.date())) == split) {
        orders.add(order.between(LocalTime.of(9, 30), LocalTime.of(15, 0)));
      }
    }
    return BothSides.of(orders);
  }

  Evaluation evaluation(Split split) {
    return new Evaluation(simulators, orders(split), parallel);
  }

  Yardsticks yardsticks(Evaluation evaluation) {
    return Yardsticks.of(evaluation, recipe.actions())
        .withVwap(evaluation, bars)
        .withOptimum(
            evaluation, market, new VisibleOptimum(market, market.wholeDay(STEP_MINUTES * 60)));
  }

  Ppo<FullHistoryObservation> newAgent(@Nullable Distillation<FullHistoryObservation> teacher) {
    return recipe.newAgent(features.columns().today().size(), STEPS, teacher, seed, parallel);
  }

  PolicyResults evaluate(
      Evaluation evaluation, Ppo<FullHistoryObservation> agent, FullHistoryInterpreter eyes) {
    return evaluation.run(
        new Candidate<>("agent", eyes, recipe.actions(), agent.agent()::newPolicy));
  }

  /// Trains, and lets `judge` look after every iteration.
  void train(
      Ppo<FullHistoryObservation> agent,
      FullHistoryInterpreter eyes,
      List<Order> orders,
      int iterations,
      Runnable judge) {
    var problem =
        new Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation>(
            simulators, eyes, recipe.actions(), recipe.reward());
    Policy<FullHistoryObservation> policy = agent.agent().newPolicy(recipe.environments());
    var buffer =
        new ReplayBuffer<FullHistoryObservation>(
            recipe.environments() * recipe.episodesPerIteration() * STEPS, recipe.environments());
    var experience = new Transitions<FullHistoryObservation>();
    var config = VectorConfig.of(recipe.environments()).with(LogLevel.CRITICAL);
    try (var environments =
        new FiniteVectorEnv<>(problem, shuffled(orders), config, List.of(), parallel.threads())) {
      for (int i = 0; i < iterations; i++) {
        buffer.clear();
        new Collector<>(
                policy, Policy.Mode.TRAIN, environments, buffer, Collector.Resets.NEEDED, seed, i)
            .collectEpisodes(recipe.episodesPerIteration());
        buffer.copyTo(experience);
        agent.update(experience, recipe.update(), RandomTree.key(seed, "update", i));
        judge.run();
      }
    }
  }

  private Iterator<Order> shuffled(List<Order> orders) {
    return IntStream.iterate(0, epoch -> epoch + 1)
        .boxed()
        .flatMap(
            epoch -> {
              var shuffled = new ArrayList<>(orders);
              Collections.shuffle(shuffled, new Random(RandomTree.key(seed, "orders", epoch)));
              return shuffled.stream();
            })
        .iterator();
  }

  /// Returns what the model's weights are now.
  static float[] weights(Model<?> model) {
    return model.weights().values().clone();
  }

  @Override
  public void close() {
    parallel.close();
  }
}
