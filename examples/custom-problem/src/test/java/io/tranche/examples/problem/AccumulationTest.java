package io.tranche.examples.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.examples.problem.Accumulation.Seen;
import io.tranche.examples.problem.Accumulation.Start;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccumulationTest {

  /// Adds as much as it may without going too far.
  private static final Policy<Seen> BEST =
      (observations, _, _) ->
          observations.stream()
              .map(seen -> new Action.Discrete(Math.clamp(seen.missing(), 0, 4)))
              .toArray(Action[]::new);

  private static final List<Start> STARTS =
      IntStream.rangeClosed(1, 20).mapToObj(Start::new).toList();

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theBestPolicyAlwaysArrives(int threads) {
    try (var environments =
        new FiniteVectorEnv<>(
            Accumulation.problem(), STARTS.iterator(), VectorConfig.of(2), List.of(), threads)) {
      CollectResult result =
          environments.guarded(
              () ->
                  new Collector<>(
                          BEST,
                          Policy.Mode.EVALUATE,
                          environments,
                          _ -> {},
                          Collector.Resets.NEEDED,
                          0,
                          0)
                      .collectAll());

      assertThat(result.rewards()).hasSize(20).containsOnly(1.0);
      assertThat(result.failures()).isEmpty();
    }
  }

  @Test
  void anEpisodeIsDrawn() {
    var environment =
        new EnvWrapper<>(
            Accumulation.problem(), List.of(new Start(9)).iterator(), new LogCollector());
    environment.reset();
    for (int added : new int[] {4, 0, 4, 1}) {
      environment.step(new Action.Discrete(added));
    }

    assertThat(environment.render().toText())
        .isEqualTo(
            """
            Start[target=9]
            action [0.000, 4.000] █▁█▃
            reward [0.000, 1.000] ▁▁▁█
            sum [4.000, 9.000]    ▁▁▇█
            """);
  }
}
