package io.tranche.examples.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.Numbers;
import io.tranche.trainer.ProblemRun;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccumulationTest {

  private static final Map<String, Supplier<ProblemRun.Result<Integer, Numbers>>> ALGORITHMS =
      Map.of("PPO", Accumulation::trainWithPpo, "DQN", Accumulation::trainWithDqn);

  @ParameterizedTest
  @ValueSource(strings = {"PPO", "DQN"})
  void everyTargetIsReachedAfterTraining(String algorithm) {
    var trained = Objects.requireNonNull(ALGORITHMS.get(algorithm)).get();

    assertThat(trained.test(Accumulation.TARGETS)).containsEntry("reward", 1.0);
  }
}
