package io.tranche.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Policy;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.WalkSpec;
import io.tranche.env.walk.Walkers;
import io.tranche.testkit.Leftovers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What children may do to us.
class ChildWorkersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "throw   | java.lang.ArithmeticException: tripped at State",
        "exit    | was ended with exit code 3",
        "kill    | was ended with exit code 137",
        "garbage | must send messages, was: mark 74686973",
        "hang    | was killed at its deadline",
      })
  void aChildThatFailsIsReportedWithWhatItHeldAndReplaced(String mischief, String message) {
    // A hundred times what an answer takes, and no more than the test must wait for the one that
    // never comes.
    var answer = Duration.ofSeconds(mischief.equals("hang") ? 5 : 60);
    var children = Vectors.children().withDeadlines(Duration.ofMinutes(2), answer);
    try (var environments = make(mischief, children, 1)) {

      CollectResult result = collect(environments);

      assertThat(result.failures())
          .singleElement()
          .satisfies(
              failure -> {
                assertThat(failure.initialState()).isEqualTo("Start[target=3]");
                assertThat(failure.step()).isEqualTo(2);
                assertThat(failure.cause())
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining(message);
              });
      assertThat(result.rewards()).containsExactly(-1.0, -6.0);
      Leftovers.assertNoProcesses();
    }
  }

  @Test
  void whatAnEnvironmentPrintsDoesNotDisturb() {
    try (var environments = make("print", Vectors.children(), 2)) {

      assertThat(collect(environments).episodes()).isEqualTo(3);
    }
  }

  @Test
  void logsCrossAsTheyAre() {
    try (var environments = make("none", Vectors.children(), 1)) {
      environments.reset(0);
      environments.step(
          new int[] {0},
          Walkers.BEST.act(List.of(environments.observation(0)), new long[1], Policy.Mode.TRAIN));
      environments.step(
          new int[] {0},
          Walkers.BEST.act(List.of(environments.observation(0)), new long[1], Policy.Mode.TRAIN));

      assertThat(environments.isDone(0)).isTrue();
      assertThat(environments.log(0)).containsOnlyKeys("target", "steps_per_episode", "reward");
      assertThat(environments.log(0).get("target")).hasToString("Entry[level=PERIODIC, value=2.0]");
    }
  }

  @Test
  void aConfigurationThatChildrenCannotUseIsNamed() {
    assertRefused("class: TargetWalk\nkwargs: {speed: 3}", Vectors.children(), "speed");
  }

  @Test
  void childrenRunTheCodeOfThisProcess() {
    assertRefused("class: Nowhere", ChildConfig.ofThisJvm("-Xmx64m"), "'Nowhere'");
  }

  private static void assertRefused(String component, ChildConfig children, String named) {
    try (var environments =
        FiniteVectorEnv.subproc(
            new WalkSpec("none", 0),
            ConfigFiles.parse("test", component),
            List.of(new Start(1)).iterator(),
            VectorConfig.of(1),
            List.of(),
            children)) {
      assertThatThrownBy(() -> collect(environments))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(named);
    }
    Leftovers.assertNoProcesses();
  }

  @Test
  void aCommandThatIsNoChildIsNamed() {
    try (var environments = make("none", ChildConfig.of(List.of("/no/such/java")), 1)) {
      assertThatThrownBy(() -> collect(environments))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("a child process must start");
    }
    try (var environments = make("none", ChildConfig.of(List.of("false")), 1)) {
      assertThatThrownBy(() -> collect(environments))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("was ended with exit code 1");
    }
  }

  private static CollectResult collect(FiniteVectorEnv<Start, Seen> environments) {
    return environments.guarded(
        () ->
            new Collector<>(
                    Walkers.BEST,
                    Policy.Mode.TRAIN,
                    environments,
                    (_, _, _, _, _, _, _, _, _) -> {},
                    Collector.Resets.NEEDED,
                    1,
                    0)
                .collectAll());
  }

  private static FiniteVectorEnv<Start, Seen> make(
      String mischief, ChildConfig children, int size) {
    return FiniteVectorEnv.subproc(
        new WalkSpec(mischief, 3),
        Vectors.config(mischief, 3),
        List.of(new Start(2), new Start(3), new Start(4)).iterator(),
        VectorConfig.of(size),
        List.of(),
        children);
  }
}
