package io.tranche.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.env.EpisodeFailure;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.space.Action;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.env.vector.OnFailure;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.TrainingProgress.Moment;
import io.tranche.trainer.TrainingProgress.Phase;
import io.tranche.trainer.Walk.Seen;
import io.tranche.trainer.callback.CheckpointConfig;
import io.tranche.trainer.callback.CheckpointWriter;
import io.tranche.trainer.callback.StopFile;
import io.tranche.trainer.checkpoint.Stage;
import io.tranche.trainer.checkpoint.Stop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerTest {

  @TempDir Path folder;
  private final ParallelFor parallel = new ParallelFor(1);

  @AfterEach
  void dismiss() {
    parallel.close();
  }

  @Test
  void learnsToWalk() {
    var trainer = Runs.trainer(Runs.config(1, 1), folder);
    var learner = Runs.vessel(Runs.ppo(parallel));
    trainer.test(learner);
    double before = trainer.metrics().getOrDefault("reward", Double.NaN);

    var trained = new Trainer(Runs.config(40, 1).withValidateEvery(null), List.of(), List.of());
    trained.fit(learner);
    trainer.test(learner);

    assertThat(trainer.metrics().get("reward")).isGreaterThan(before + 1);
    assertThat(trained.iterations()).isEqualTo(40);
    assertThat(trained.episodes()).isEqualTo(40 * 8);
    assertThat(trained.stopReason()).isEqualTo(Stop.BUDGET);
    assertThat(trained.metrics()).containsKeys("reward", "loss/clip", "gradient_norm", "kl");
  }

  @Test
  void callsAllHooksInOrder() {
    var heard = new ArrayList<String>();
    Callback one = (hook, trainer) -> heard.add("one " + hook + " " + trainer.iterations());
    Callback two = (hook, trainer) -> heard.add("two " + hook + " " + trainer.stage());
    var trainer = new Trainer(Runs.config(2, 1), List.of(one, two), List.of());

    trainer.fit(Runs.vessel(new Remembering()));

    assertThat(heard)
        .startsWith(
            "one FIT_START 0",
            "two FIT_START TRAIN",
            "one ITERATION_START 0",
            "two ITERATION_START TRAIN",
            "one TRAIN_START 0",
            "two TRAIN_START TRAIN")
        .endsWith(
            "one VALIDATE_END 1",
            "two VALIDATE_END VALIDATE",
            "one ITERATION_END 2",
            "two ITERATION_END VALIDATE",
            "one FIT_END 2",
            "two FIT_END VALIDATE");
    assertThat(heard.stream().filter(line -> line.contains("VALIDATE_START"))).hasSize(2);
  }

  @Test
  void aFileEndsTheRunAfterTheIteration() throws IOException {
    Path file = folder.resolve("stop.request");
    Files.writeString(file, "of an earlier run");
    var callbacks = new ArrayList<Callback>();
    callbacks.add(new StopFile(file));
    callbacks.add(
        (hook, trainer) -> {
          if (hook == Hook.ITERATION_END && trainer.iterations() == 2) {
            write(file);
          }
        });
    var trainer = new Trainer(Runs.config(5, 1), callbacks, List.of());

    trainer.fit(Runs.vessel(new Remembering()));

    assertThat(trainer.stopReason()).isEqualTo(Stop.REQUEST);
    assertThat(trainer.iterations()).isEqualTo(3);
    assertThat(file).doesNotExist();
  }

  private static void write(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRequestEndsTheRunAfterTheIterationAndItCanGoOn() {
    Path stopped = folder.resolve("stopped");
    Path straight = folder.resolve("straight");
    var callbacks = new ArrayList<>(Runs.callbacks(stopped));
    callbacks.add(
        (hook, trainer) -> {
          if (hook == Hook.TRAIN_START && trainer.iterations() == 2) {
            trainer.requestStop();
          }
        });
    var trainer = new Trainer(Runs.config(5, 1), callbacks, List.of());

    trainer.fit(Runs.vessel(new Remembering()));

    assertThat(trainer.stopReason()).isEqualTo(Stop.REQUEST);
    assertThat(trainer.iterations()).isEqualTo(3);
    Runs.trainer(Runs.config(5, 1), stopped)
        .resume(Runs.vessel(new Remembering()), stopped.resolve("checkpoints/003.ckpt"));
    Runs.trainer(Runs.config(5, 1), straight).fit(Runs.vessel(new Remembering()));
    assertThat(ResumeTest.contents(stopped, "003.ckpt"))
        .isEqualTo(ResumeTest.contents(straight, "003.ckpt"));
  }

  @Test
  void aDivergingRunNamesIterationTermAndTheLastGoodCheckpoint() {
    var trainer = Runs.trainer(Runs.config(9, 1), folder);

    assertThatThrownBy(() -> trainer.fit(Runs.vessel(new Remembering(3))))
        .isInstanceOfSatisfying(
            TrainingException.class,
            e -> {
              assertThat(e.iteration()).isEqualTo(4);
              assertThat(e.term()).isEqualTo("loss/td");
              assertThat(e.lastGood()).isEqualTo(folder.resolve("checkpoints/003.ckpt"));
            })
        .hasMessageContaining("iteration 4: loss/td must be finite, was NaN in minibatch 3")
        .hasMessageContaining("003.ckpt");
  }

  @Test
  void tellsHowItGoes() {
    var moments = new ArrayList<Moment>();
    var seconds = new long[1];
    var trainer =
        new Trainer(
            Runs.config(2, 1),
            List.of(),
            List.of(),
            moments::add,
            () -> Instant.ofEpochSecond(seconds[0]++));

    trainer.fit(Runs.vessel(new Remembering()));

    assertThat(moments.stream().map(Moment::phase).distinct())
        .containsExactly(Phase.COLLECT, Phase.UPDATE, Phase.VALIDATE);
    Moment first = moments.getFirst();
    assertThat(first.iteration()).isEqualTo(1);
    assertThat(first.maxIterations()).isEqualTo(2);
    assertThat(first.totalEpisodes()).isEqualTo(8);
    assertThat(first.mean("reward")).isNaN();
    Moment last = moments.getLast();
    assertThat(last.episodes()).isEqualTo(7).isEqualTo(last.totalEpisodes());
    assertThat(last.episodesPerSecond()).isPositive();
    assertThat(last.mean("reward")).isEqualTo(trainer.metrics().get("val/reward"));
    assertThat(last.mean("unknown")).isNaN();
  }

  @Test
  void averagesAMetricOverTheEpisodesThatHaveIt() {
    var sound = Runs.config(1, 1);
    var trainer = new Trainer(sound, List.of(), List.of());
    var qlib = new Trainer(sound.with(QlibQuirks.ALL), List.of(), List.of());

    trainer.test(Runs.vessel(new Remembering()));
    qlib.test(Runs.vessel(new Remembering()));

    // Of the targets -3, -2, -1, 0 and 1 one is positive, and is missed by five.
    assertThat(trainer.metrics().get("missed")).isEqualTo(5);
    assertThat(trainer.stage()).isEqualTo(Stage.TEST);
    assertThat(trainer.episodes()).isZero();
    assertThat(qlib.episodes()).isEqualTo(5);
    assertThat(qlib.metrics().get("missed")).isEqualTo(1);
  }

  @Test
  void aFastDevRunTakesAFewStatesOfEachStage() {
    var algorithm = new Remembering();
    var trainer = new Trainer(Runs.config(2, 1, 3), List.of(), List.of());

    trainer.fit(Runs.vessel(algorithm));

    assertThat(trainer.episodes()).isEqualTo(6);
    assertThat(algorithm.lastSteps).isEqualTo(6 * 6);
  }

  @Test
  void aFailingEpisodeIsPutAsideAndCounted() {
    var failures = new ArrayList<EpisodeFailure>();
    var progress =
        new TrainingProgress() {
          @Override
          public void on(Moment moment) {}

          @Override
          public void failed(EpisodeFailure failure) {
            failures.add(failure);
          }
        };
    var vessel =
        new TrainingVessel<>(
            Walk.problem(),
            new Remembering(),
            InitialStates.of(List.of(1, 100, 2)),
            null,
            InitialStates.of(List.of(1, 101)),
            new VesselConfig(100, 4, new UpdateSettings(0, 1, Batching.EPISODES)));
    var trainer =
        new Trainer(
            Runs.config(1, 1).withValidateEvery(null), List.of(), List.of(), progress, Runs.CLOCK);

    trainer.fit(vessel);

    assertThat(trainer.failedEpisodes()).isEqualTo(failures.size()).isPositive();
    assertThat(failures.getFirst().initialState()).isEqualTo("100");
    assertThatThrownBy(
            () ->
                new Trainer(Runs.config(1, 1).with(OnFailure.PROPAGATE), List.of(), List.of())
                    .test(vessel))
        .isInstanceOfAny(ArithmeticException.class, EnvironmentException.class);
  }

  @Test
  void aStageWithoutStatesIsRefusedByName() {
    var vessel =
        new TrainingVessel<>(
            Walk.problem(),
            new Remembering(),
            Walk.targets(3),
            null,
            null,
            new VesselConfig(100, 4, new UpdateSettings(0, 1, Batching.EPISODES)));

    assertThatThrownBy(() -> new Trainer(Runs.config(2, 1), List.of(), List.of()).fit(vessel))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("vessel.val: expected initial states for this stage, was none");
  }

  @Test
  void aCallbackOfTheUsersKeepsItsState() {
    var first = new Counter();
    var config = CheckpointConfig.every(1, folder);
    new Trainer(
            Runs.config(2, 1), List.of(first, new CheckpointWriter(config, Runs.CLOCK)), List.of())
        .fit(Runs.vessel(new Remembering()));

    var second = new Counter();
    new Trainer(Runs.config(4, 1), List.of(second), List.of())
        .resume(Runs.vessel(new Remembering()), folder.resolve("002.ckpt"));

    assertThat(first.count).isEqualTo(2);
    assertThat(second.count).isEqualTo(4);
  }

  /// Counts iterations.
  private static final class Counter implements Callback {
    private long count;

    @Override
    public void on(Hook hook, Trainer trainer) {
      count += hook == Hook.ITERATION_END ? 1 : 0;
    }

    @Override
    public Map<String, @Nullable Object> state() {
      return new LinkedHashMap<>(Map.of("count", count));
    }

    @Override
    public void restore(Map<String, @Nullable Object> state) {
      count = (Long) Objects.requireNonNull(state.get("count"));
    }
  }

  @Test
  void testsAnyPolicyInTheOrderOfItsData() {
    Policy<Seen> straight =
        (observations, _, _) ->
            observations.stream()
                .map(
                    seen ->
                        new Action.Discrete(1 + Integer.signum(seen.target() - seen.position())))
                .toArray(Action[]::new);
    var trainer =
        new Trainer(
            TrainerConfig.of(1, 3).withThreads(2),
            List.of(),
            List.of(new EpisodeLog(new CsvLogWriter(folder))));

    trainer.test(TrainingVessel.ofPolicy(Walk.problem(), straight, Walk.targets(7)));

    assertThat(trainer.metrics().get("missed")).isZero();
    assertThat(folder.resolve("result.csv")).isRegularFile();
  }
}
