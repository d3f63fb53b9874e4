package io.tranche.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.market.DataException;
import io.tranche.policy.learn.Algorithm;
import io.tranche.trainer.Walk.Seen;
import io.tranche.trainer.rollout.EpisodePlayer;
import io.tranche.trainer.rollout.ReplayedRollouts;
import io.tranche.trainer.rollout.Rollouts;
import io.tranche.trainer.rollout.Trajectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Episodes played elsewhere first change no result.
class RolloutsTest {

  @TempDir Path folder;
  private final ParallelFor parallel = new ParallelFor(1);

  @AfterEach
  void dismiss() {
    parallel.close();
  }

  private static EpisodePlayer<Integer, Seen> player(Algorithm<Seen> algorithm) {
    return new EpisodePlayer<>(Walk.problem(), algorithm.agent().newPolicy(EpisodePlayer.ROWS));
  }

  private static TrainingVessel<Integer, Seen> helped(Algorithm<Seen> algorithm) {
    return Runs.vessel(algorithm).with(player(algorithm));
  }

  @ParameterizedTest
  @CsvSource({"SOUND, 1", "SOUND, 3", "QLIB, 1", "QLIB, 3"})
  void leaveTheSameRun(String quirks, int threads) throws IOException {
    TrainerConfig config =
        Runs.config(5, threads).with(quirks.equals("QLIB") ? QlibQuirks.ALL : QlibQuirks.NONE);

    Runs.trainer(config, folder.resolve("alone")).fit(Runs.vessel(Runs.ppo(parallel)));
    Runs.trainer(config, folder.resolve("helped")).fit(helped(Runs.ppo(parallel)));

    assertSame();
  }

  private void assertSame() throws IOException {
    assertThat(files("helped")).isEqualTo(files("alone")).isNotEmpty();
    for (Path file : files("alone")) {
      assertThat(
              Files.mismatch(
                  folder.resolve("alone").resolve(file), folder.resolve("helped").resolve(file)))
          .as(file.toString())
          .isEqualTo(-1);
    }
  }

  private List<Path> files(String run) throws IOException {
    Path root = folder.resolve(run);
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
    }
  }

  @Test
  void aRunGoesOnWithHelpAndWithout() throws IOException {
    Runs.trainer(Runs.config(6, 1), folder.resolve("alone")).fit(Runs.vessel(Runs.ppo(parallel)));

    Path helped = folder.resolve("helped");
    Runs.trainer(Runs.config(2, 1), helped).fit(helped(Runs.ppo(parallel)));
    Runs.trainer(Runs.config(4, 1), helped)
        .resume(Runs.vessel(Runs.ppo(parallel)), helped.resolve("checkpoints/002.ckpt"));
    Runs.trainer(Runs.config(6, 1), helped)
        .resume(helped(Runs.ppo(parallel)), helped.resolve("checkpoints/004.ckpt"));

    // All but what each of the three says of itself.
    assertThat(
            Files.mismatch(
                folder.resolve("alone/checkpoints/006.ckpt"),
                helped.resolve("checkpoints/006.ckpt")))
        .isEqualTo(-1);
  }

  @Test
  void episodesThatFailAreTheSameOnes() throws IOException {
    InitialStates<Integer> states =
        InitialStates.of(IntStream.range(0, 20).mapToObj(i -> i % 5 == 0 ? 100 + i : 1).toList());
    for (String run : List.of("alone", "helped")) {
      Algorithm<Seen> ppo = Runs.ppo(parallel);
      var vessel =
          new TrainingVessel<>(Walk.problem(), ppo, states, states, null, Runs.vessel(ppo).config())
              .with(run.equals("helped") ? player(ppo) : null);
      Trainer trainer = Runs.trainer(Runs.config(4, 1), folder.resolve(run));

      trainer.fit(vessel);

      assertThat(trainer.failedEpisodes()).isGreaterThan(8);
    }

    assertSame();
  }

  @Test
  void aProblemThatAlwaysFailsEndsTheRunAsEver() {
    Algorithm<Seen> ppo = Runs.ppo(parallel);
    InitialStates<Integer> broken = InitialStates.of(List.of(100));
    var vessel =
        new TrainingVessel<>(Walk.problem(), ppo, broken, null, null, Runs.vessel(ppo).config())
            .with(player(ppo));

    assertThatExceptionOfType(EnvironmentException.class)
        .isThrownBy(() -> Runs.trainer(Runs.config(1, 1), folder).fit(vessel))
        .withMessageContaining("1000 episodes in a row");
  }

  /// Returns the problem with something else about it.
  private static Problem<Integer, Seen, Integer, Seen> other(double bonus, int shift) {
    Problem<Integer, Seen, Integer, Seen> same = Walk.problem();
    return new Problem<>(
        (target, context) -> same.simulators().create(target + shift, context),
        same.stateInterpreter(),
        same.actionInterpreter(),
        (seen, _) -> bonus - Math.abs(seen.target() - shift - seen.position()));
  }

  private String complaint(Rollouts<Integer> rollouts) {
    var vessel = Runs.vessel(Runs.ppo(parallel)).with(rollouts);
    var thrown = new String[1];
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Runs.trainer(Runs.config(1, 1), folder).fit(vessel))
        .satisfies(e -> thrown[0] = String.valueOf(e.getMessage()));
    return thrown[0];
  }

  @Test
  void otherDataElsewhereAreNoticed() {
    Policy<Seen> policy = Runs.ppo(parallel).agent().newPolicy(EpisodePlayer.ROWS);

    assertThat(complaint(new EpisodePlayer<>(other(1e-12, 0), policy)))
        .contains("played elsewhere on data that must be the same")
        .endsWith("expected the same rewards as here, was others");
    assertThat(complaint(new EpisodePlayer<>(other(0, 50), policy)))
        .contains("expected the action");
    Problem<Integer, Seen, Integer, Seen> same = Walk.problem();
    var broken =
        new Problem<Integer, Seen, Integer, Seen>(
            same.simulators(),
            same.stateInterpreter(),
            same.actionInterpreter(),
            (_, _) -> {
              throw new ArithmeticException("tripped");
            });
    assertThat(complaint(new EpisodePlayer<>(broken, policy)))
        .contains("expected an episode of more than 1 steps")
        .contains("tripped");
  }

  @Test
  void anEpisodeOfAnotherLengthIsNoticed() {
    EpisodePlayer<Integer, Seen> player = player(Runs.ppo(parallel));

    assertThat(
            complaint(
                (mode, root, first, states) ->
                    player.play(mode, root, first, states).stream()
                        .map(
                            each ->
                                new Trajectory(each.actions().subList(0, 4), each.rewards(), null))
                        .toList()))
        .endsWith("expected an episode of more than 4 steps, was one of 4");
  }

  @Test
  void thePolicyIsAskedAboutASampleOnly() {
    var asked = new AtomicInteger();
    Policy<Seen> policy = Runs.ppo(parallel).agent().newPolicy(EpisodePlayer.ROWS);
    Policy<Seen> counting =
        (observations, keys, mode) -> {
          asked.addAndGet(observations.size());
          return policy.act(observations, keys, mode);
        };
    var replayed =
        new ReplayedRollouts<Integer, Seen>(
            new EpisodePlayer<>(Walk.problem(), policy),
            Policy.Mode.TRAIN,
            7,
            IntStream.range(0, 200).boxed().toList().iterator(),
            128,
            counting,
            _ -> {});

    int count = 0;
    while (replayed.hasNext()) {
      int target = replayed.next();
      long key = RandomTree.child(RandomTree.child(7, count++), 0);
      Action[] actions =
          replayed.act(List.of(new Seen(0, target)), new long[] {key}, Policy.Mode.TRAIN);
      assertThat(actions)
          .containsExactly(
              policy.act(List.of(new Seen(0, target)), new long[] {key}, Policy.Mode.TRAIN));
    }

    assertThat(count).isEqualTo(200);
    assertThat(asked).hasValue(2 + 72); // every 64th, and those that nobody has played
  }

  @Test
  void howEpisodesArePutTogetherChangesNoTrajectory() {
    EpisodePlayer<Integer, Seen> player = player(Runs.ppo(parallel));
    List<Integer> states = IntStream.range(0, 600).mapToObj(i -> i % 9 - 4).toList();

    List<Trajectory> together = player.play(Policy.Mode.TRAIN, 3, 10, states);

    for (int i = 0; i < states.size(); i++) {
      assertThat(player.play(Policy.Mode.TRAIN, 3, 10 + i, states.subList(i, i + 1)))
          .containsExactly(together.get(i));
    }
  }
}
