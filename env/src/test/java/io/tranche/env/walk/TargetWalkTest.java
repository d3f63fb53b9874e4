package io.tranche.env.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.env.walk.TargetWalk.Start;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TargetWalkTest {

  @Test
  void anyProblemCanBeWrappedAndItsOptimumIsReached() {
    List<Start> starts =
        IntStream.rangeClosed(-9, 9).filter(i -> i != 0).mapToObj(Start::new).toList();
    try (var environments =
        new FiniteVectorEnv<>(
            TargetWalk.problem(), starts.iterator(), VectorConfig.of(1), List.of(), 1)) {
      var result =
          environments.guarded(
              () ->
                  new Collector<>(
                          Walkers.BEST,
                          Policy.Mode.EVALUATE,
                          environments,
                          _ -> {},
                          Collector.Resets.NEEDED,
                          0,
                          0)
                      .collectAll());

      assertThat(result.rewards())
          .containsExactlyElementsOf(starts.stream().map(TargetWalk::best).toList());
      assertThat(result.exhausted()).isTrue();
    }
  }

  @Test
  void anEpisodeIsDrawn() {
    var environment =
        new EnvWrapper<>(
            TargetWalk.problem(), List.of(new Start(3)).iterator(), new LogCollector());
    environment.reset();
    for (int i = 0; i < 3; i++) {
      environment.step(new Action.Discrete(2));
    }

    assertThat(environment.render().with("position", 1, 2, 3).toText())
        .isEqualTo(
            """
            Start[target=3]
            action [2.000, 2.000]   ▅▅▅
            reward [-2.000, 0.000]  ▁▅█
            position [1.000, 3.000] ▁▅█
            """);
  }
}
