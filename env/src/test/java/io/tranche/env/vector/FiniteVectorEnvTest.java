package io.tranche.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.walk.TargetWalk;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.Walkers;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiniteVectorEnvTest {

  private static final Action STAY = new Action.Discrete(1);

  @Test
  void everyInitialStateRunsExactlyOnceWhateverTheWorkersAndAlsoWhenSomeThrow() {
    Cases.forAll(
        Cases.count(200, 10_000),
        random -> {
          int count = random.nextInt(0, 25);
          int threads = random.nextInt(1, 5);
          int size = random.nextInt(1, 9);
          boolean trips = random.nextBoolean();
          int bad = random.nextInt(1, 25);
          var lines = new ArrayList<Vectors.Line>();
          try (var environments =
              Vectors.make(
                  threads,
                  trips ? Vectors.trippingAt(bad) : TargetWalk.problem(),
                  Vectors.starts(count).iterator(),
                  VectorConfig.of(size))) {

            CollectResult result =
                environments.guarded(
                    () ->
                        new Collector<>(
                                Walkers.BEST,
                                Policy.Mode.TRAIN,
                                environments,
                                Vectors.listener(lines),
                                Collector.Resets.NEEDED,
                                1,
                                0)
                            .collectAll());

            long failing =
                Vectors.starts(count).stream()
                    .filter(start -> trips && start.target() == bad && bad > 1)
                    .count();
            assertThat(result.exhausted()).isTrue();
            assertThat(result.failures()).hasSize((int) failing);
            assertThat(result.episodes() + failing).isEqualTo(count);
            assertThat(lines.stream().map(Vectors.Line::episode).distinct().count())
                .isEqualTo(result.episodes());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void theSameSeedGivesTheSameTrajectoriesWhateverTheWorkers(int threads) {
    List<Vectors.Line> expected = trajectories(1, 4, 7);

    assertThat(expected).hasSizeGreaterThan(100);
    assertThat(trajectories(threads, 4, 7)).isEqualTo(expected);
  }

  @Test
  void theNumberOfEnvironmentsDoesNotChangeAnEpisodeAndTheSeedDoes() {
    List<Vectors.Line> expected = trajectories(1, 4, 7);

    assertThat(trajectories(1, 9, 7)).isEqualTo(expected);
    assertThat(trajectories(1, 4, 8)).isNotEqualTo(expected);
  }

  private static List<Vectors.Line> trajectories(int threads, int size, long seed) {
    try (var environments =
        Vectors.make(
            threads, Vectors.trippingAt(5), Vectors.starts(20).iterator(), VectorConfig.of(size))) {
      return Vectors.trajectories(environments, seed);
    }
  }

  @Test
  void aFailedEpisodeIsReportedWithItsIdentity() {
    try (var environments =
        Vectors.make(
            2,
            Vectors.trippingAt(3),
            List.of(new Start(3), new Start(-3)).iterator(),
            VectorConfig.of(2))) {
      environments.reset(0, 1);
      environments.step(new int[] {0, 1}, new Action[] {STAY, STAY});
      environments.step(new int[] {0, 1}, new Action[] {STAY, STAY});

      assertThat(environments.hasFailed(0)).isTrue();
      assertThat(environments.hasFailed(1)).isFalse();
      assertThat(environments.takeFailures())
          .singleElement()
          .hasToString(
              "episode 0 from Start[target=3] failed in environment 0 at step 2:"
                  + " java.lang.ArithmeticException: tripped at"
                  + " State[position=0, target=3, step=2]");
      assertThat(environments.takeFailures()).isEmpty();
      assertThatThrownBy(() -> environments.step(new int[] {0}, new Action[] {STAY}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("environment 0 must be in an episode");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void underQlibsSemanticsTheExceptionPropagatesAndTheNextCollectWorks(int threads) {
    Iterator<Start> starts = Vectors.starts(12).iterator();
    try (var environments =
        Vectors.make(
            threads, Vectors.trippingAt(3), starts, VectorConfig.of(2).with(OnFailure.PROPAGATE))) {
      assertThatThrownBy(() -> Vectors.trajectories(environments, 1))
          .isInstanceOf(ArithmeticException.class);

      // Every start that was not handed out yet, played to its end.
      var lines = Vectors.trajectories(environments, 1);
      assertThat(lines)
          .hasSize(160)
          .extracting(Vectors.Line::episode)
          .containsOnly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
      assertThat(lines).filteredOn(line -> line.text().contains(" true ")).hasSize(8);
    }
  }

  @Test
  void aProblemThatAlwaysFailsEndsTheCollect() {
    var forever = Stream.generate(() -> new Start(3)).iterator();
    try (var environments =
        Vectors.make(
            2, Vectors.trippingAt(3), forever, VectorConfig.of(2).withMaxConsecutiveFailures(0))) {
      assertThatThrownBy(() -> Vectors.trajectories(environments, 1))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageStartingWith("at most 0 episodes in a row may fail, was 1");
    }
  }

  @Test
  void anErrorInAWorkerReachesTheCallerWithWhatItHeld() {
    try (var environments =
        new FiniteVectorEnv<>(
            TargetWalk.problem(
                _ -> {
                  throw new AssertionError("broken");
                }),
            Vectors.starts(8).iterator(),
            VectorConfig.of(4),
            List.of(),
            2)) {
      assertThatThrownBy(() -> Vectors.trajectories(environments, 1))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("Start[target=1]")
          .hasMessageContaining("broken")
          .hasCauseInstanceOf(AssertionError.class);
    }
  }

  @Test
  void deadEnvironmentsAnswerWithTheFirstThingsEverSeen() {
    try (var environments =
        Vectors.make(
            1, TargetWalk.problem(), List.of(new Start(2)).iterator(), VectorConfig.of(3))) {
      assertThat(environments.reset(0, 1, 2)).isTrue();
      environments.step(new int[] {0, 1, 2}, new Action[] {STAY, STAY, STAY});
      environments.step(new int[] {0, 1, 2}, new Action[] {new Action.Discrete(2), STAY, STAY});

      assertThat(IntStream.range(0, 3).filter(environments::isAlive)).containsExactly(0);
      assertThat(environments.reward(0)).isEqualTo(-1);
      assertThat(environments.reward(1)).isEqualTo(-2);
      assertThat(environments.observation(2)).isEqualTo(new TargetWalk.Seen(0, 2));
      assertThat(environments.log(1)).containsOnlyKeys("reward");
      assertThat(environments.isDone(1)).isFalse();
    }
  }

  @Test
  void aVectorIsUsedUpWhenItsInitialStatesAre() {
    try (var environments =
        Vectors.make(1, TargetWalk.problem(), List.<Start>of().iterator(), VectorConfig.of(2))) {
      assertThat(environments.reset(0, 1)).isFalse();
      assertThatThrownBy(() -> environments.reset(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> environments.step(new int[] {0}, new Action[] {STAY}))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aVectorOfNothingIsRefused() {
    assertThatThrownBy(() -> VectorConfig.of(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size must be at least 1, was 0");
  }

  @Test
  void moreEpisodesThanThereAreEndTheCollectEvenIfAllLivingOnesLeft() {
    Cases.forAll(
        Cases.count(300, 5_000),
        random -> {
          int count = random.nextInt(1, 12);
          var resets = random.nextBoolean() ? Collector.Resets.EAGER : Collector.Resets.NEEDED;
          int wanted = random.nextInt(1, 14);
          try (var environments =
              Vectors.make(
                  1,
                  TargetWalk.problem(),
                  Vectors.starts(count).iterator(),
                  VectorConfig.of(random.nextInt(1, 6)))) {
            var result =
                new Collector<>(
                        Walkers.BEST, Policy.Mode.TRAIN, environments, _ -> {}, resets, 1, 0)
                    .collectEpisodes(wanted);

            assertThat(result.episodes()).isLessThanOrEqualTo(Math.min(wanted, count));
            assertThat(result.exhausted() || result.episodes() == wanted).isTrue();
          }
        });
  }

  @Test
  void noInitialStateIsLostBetweenCollectsByEpisodes() {
    Cases.forAll(
        Cases.count(100, 2_000),
        random -> {
          var handedOut = new AtomicInteger();
          Iterator<Start> starts =
              Stream.generate(() -> new Start(1 + handedOut.getAndIncrement() % 5)).iterator();
          try (var environments =
              Vectors.make(
                  1,
                  Vectors.trippingAt(random.nextInt(1, 9)),
                  starts,
                  VectorConfig.of(random.nextInt(1, 6)))) {
            var collector =
                new Collector<>(
                    Walkers.BEST,
                    Policy.Mode.TRAIN,
                    environments,
                    _ -> {},
                    Collector.Resets.NEEDED,
                    1,
                    0);
            int run = 0;
            for (int round = 0; round < 4; round++) {
              int wanted = random.nextInt(1, 9);
              var result = collector.collectEpisodes(wanted);
              assertThat(result.episodes()).isEqualTo(wanted);
              run += wanted + result.failures().size();
            }

            assertThat(handedOut).hasValue(run);
          }
        });
  }
}
