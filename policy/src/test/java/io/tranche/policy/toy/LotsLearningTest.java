package io.tranche.policy.toy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.VectorConfig;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.dqn.Dqn;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each algorithm comes close to the optimum, through real environments and buffers.
class LotsLearningTest {

  private static final int ENVIRONMENTS = 8;
  private static final ParallelFor PARALLEL = new ParallelFor(1);

  @AfterAll
  static void dismiss() {
    PARALLEL.close();
  }

  @Test
  void needsToLookAtThePrices() {
    double optimum = Lots.optimum();

    assertThat(Lots.earnedBy((_, left) -> left)).isLessThan(0.7 * optimum);
    assertThat(Lots.earnedBy((_, _) -> 1)).isLessThan(0.9 * optimum);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void learnsByPpo(long seed) {
    var ppo =
        new Ppo<>(
            ActorCritic.create(
                Lots.network(),
                Lots.CHOICES,
                RandomTree.generator(RandomTree.root(seed, "weights"))),
            PpoConfig.DEFAULT.withLambda(0.95).withClip(0.2).withEntropyWeight(0.05),
            PARALLEL);

    train(ppo, new UpdateSettings(64, 4, Batching.EPISODES), 200, 64, seed);

    assertThat(earned(ppo)).isGreaterThan(0.95 * Lots.optimum());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void learnsByDqn(long seed) {
    learnsBy(config(1), seed, Batching.TRANSITIONS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void learnsByQuantileDqn(long seed) {
    learnsBy(config(8), seed, Batching.EPISODES);
  }

  private static void learnsBy(DqnConfig config, long seed, Batching batching) {
    var spec = new DqnSpec<>(Lots.network(), Lots.CHOICES, config, null);
    var agent = spec.create(RandomTree.generator(RandomTree.root(seed, "weights")));
    var dqn = new Dqn<>(agent, config, PARALLEL);

    train(dqn, new UpdateSettings(64, 1, batching), 60, 32, seed);

    assertThat(earned(dqn)).isGreaterThan(0.95 * Lots.optimum());
  }

  private static DqnConfig config(int quantiles) {
    return DqnConfig.DEFAULT
        .withLearningRate(3e-3)
        .withTargetInterval(25)
        .withQuantiles(quantiles, 1)
        .withExploration(DqnConfig.DEFAULT.exploration().withEnd(0.1).withDuration(40));
  }

  private static void train(
      Algorithm<Lots.View> algorithm,
      UpdateSettings settings,
      int iterations,
      int episodes,
      long seed) {
    var buffer = new ReplayBuffer<Lots.View>(4096, ENVIRONMENTS);
    var steps = new Transitions<Lots.View>();
    FiniteVectorEnv<Integer, Lots.View> environments =
        new FiniteVectorEnv<>(
            Lots.problem(), Lots.regimes(seed), VectorConfig.of(ENVIRONMENTS), List.of(), 1);
    var collector =
        new Collector<>(
            algorithm.agent().newPolicy(ENVIRONMENTS),
            Policy.Mode.TRAIN,
            environments,
            buffer,
            Collector.Resets.NEEDED,
            seed,
            0);
    environments.guarded(
        () -> {
          for (int iteration = 0; iteration < iterations; iteration++) {
            if (!algorithm.isOffPolicy()) {
              buffer.clear();
            }
            collector.collectEpisodes(episodes);
            buffer.copyTo(steps);
            algorithm.update(steps, settings, RandomTree.key(seed, "update", iteration));
          }
          return true;
        });
  }

  /// Returns what the algorithm's policy earns in evaluation, averaged over the regimes.
  private static double earned(Algorithm<Lots.View> algorithm) {
    TrajectoryListener<Lots.View> nobody = _ -> {};
    FiniteVectorEnv<Integer, Lots.View> environments =
        new FiniteVectorEnv<>(
            Lots.problem(),
            IntStream.range(0, Lots.REGIMES).iterator(),
            VectorConfig.of(1),
            List.of(),
            1);
    return environments.guarded(
        () ->
            new Collector<>(
                    algorithm.agent().newPolicy(1),
                    Policy.Mode.EVALUATE,
                    environments,
                    nobody,
                    Collector.Resets.NEEDED,
                    0,
                    0)
                .collectAll().rewards().stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElseThrow());
  }
}
