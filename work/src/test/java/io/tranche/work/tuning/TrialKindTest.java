package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.StateDict;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.WorkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Trials that are really trained, for a few iterations.
class TrialKindTest {

  private static final String TRAINING =
      """
      tranche: 1
      data: {market: {instruments: 2, days: 20}}
      env: {concurrency: 10, parallel_mode: shmem}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 4, episodes_per_iteration: 20, repeat: 1}
      validation: {every: 2}
      """;

  private static final Trial TRIAL = trial("policy.kwargs.learning_rate", "0.01");

  @TempDir Path folder;

  private TuneConfig config() throws IOException {
    Files.writeString(folder.resolve("train.yml"), TRAINING);
    Path file =
        Files.writeString(
            folder.resolve("tune.yml"),
            """
            tune: 1
            config: train.yml
            search: grid
            metric: reward
            space: {policy.kwargs.learning_rate: {values: [0.01]}}
            """);
    return TuneFile.read(file, _ -> {});
  }

  @Test
  void segmentBySegmentATrialIsTheSameAsInOneGo() throws IOException {
    try (Job job = new TrialKind().open(TrialKind.setup("reward", folder, false))) {
      TrialMessage straight = train(job, TRIAL, 4, new byte[0]);
      TrialMessage first = train(job, TRIAL, 1, new byte[0]);
      TrialMessage second = train(job, TRIAL, 3, first.checkpoint());
      TrialMessage third = train(job, TRIAL, 4, second.checkpoint());

      var points = new ArrayList<Point>();
      for (TrialMessage each : List.of(first, second, third)) {
        points.addAll(each.segment().points());
      }
      assertThat(points).isEqualTo(straight.segment().points()).hasSize(4);
      Checkpoint one = checkpoint(straight);
      Checkpoint other = checkpoint(third);
      assertThat(bytes(other.policy())).isEqualTo(bytes(one.policy()));
      assertThat(bytes(other.algorithm().tensors())).isEqualTo(bytes(one.algorithm().tensors()));
      assertThat(other.algorithm().numbers()).isEqualTo(one.algorithm().numbers());
      assertThat(other.position()).isEqualTo(one.position());
      assertThat(other.config()).isEqualTo(one.config()).contains("max_iterations: 4");
    }
  }

  @Test
  void sharedDataAreUsedWhereTheyAre() throws IOException {
    PreparedData.of(
        ExecutionRun.read(config().base(), _ -> {}), new RunFolder(folder), (_, _, _) -> {});
    byte[] elsewhere;
    byte[] here;
    try (Job job = new TrialKind().open(TrialKind.setup("reward", folder, false))) {
      here = job.work(new byte[0], TrialKind.piece(config().runOf(TRIAL), 1, new byte[0]));
    }
    try (Job job =
        new TrialKind().open(TrialKind.setup("reward", folder.resolve("not-there"), false))) {
      elsewhere = job.work(new byte[0], TrialKind.piece(config().runOf(TRIAL), 1, new byte[0]));
    }

    assertThat(elsewhere).isEqualTo(here);
    assertThat(folder.resolve("not-there")).doesNotExist();
  }

  @Test
  void barsWithARelativePathAreShared() throws IOException {
    PreparedData.of(
        ExecutionRun.read(config().base(), _ -> {}), new RunFolder(folder), (_, _, _) -> {});
    Path bars = Path.of("").toAbsolutePath().relativize(folder.toRealPath().resolve("data/bars"));
    Files.writeString(
        folder.resolve("train.yml"),
        TRAINING.replace("market: {instruments: 2, days: 20}", "bars: " + bars));

    try (Tuning tuning =
            Tuning.open(folder.resolve("tune.yml"), folder.resolve("out"), false, _ -> {});
        JobBackend backend = Backends.open("local", BackendSettings.ofThreads(2))) {
      assertThat(tuning.run(backend, false, TuneListener.NONE).leaderboard().rows())
          .allSatisfy(row -> assertThat(row.failure()).isNull());
    }
  }

  @Test
  void badSettingsAreAFailureOfTheTrial() throws IOException {
    try (Job job = new TrialKind().open(TrialKind.setup("reward", null, false))) {
      Failure unknown = failure(job, trial("policy.kwargs.learning_rat", "0.01"));
      Failure missing = failure(job, trial("data.instruments", "[NOBODY]"));
      Failure diverged = failure(job, trial("policy.kwargs.learning_rate", "1.0e+38"));

      assertThat(unknown.kind()).isEqualTo(Failure.Kind.CONFIG);
      assertThat(unknown.reason()).contains("learning_rat");
      assertThat(missing.kind()).isEqualTo(Failure.Kind.DATA);
      assertThat(missing.reason()).contains("instruments that the bars have, was [NOBODY]");
      assertThat(diverged.kind()).isEqualTo(Failure.Kind.DIVERGED);
      assertThat(diverged.reason()).startsWith("iteration ").doesNotContain("checkpoint");
    }
  }

  @Test
  void settingsThatMakeNoRunAreRefusedBeforeTraining() throws IOException {
    TuneConfig config = config();

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> config.runOf(trial("trainer.batch_size", "-1")))
        .withMessageContaining("trainer.batch_size: expected an integer of at least 1");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> config.runOf(trial("validation", "{every: 1}")))
        .withMessageContaining("expected validations as often as in the others, was 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"iterations\": 1, \"ended\": false, \"points\": [[1]], \"failure\": null}",
        "{\"iterations\": 1, \"ended\": 3, \"points\": [], \"failure\": null}",
        "{\"iterations\": 0, \"ended\": false, \"points\": [], \"failure\": \"TIRED\","
            + " \"reason\": \"\"}",
        "{\"iterations\": 1, \"ended\": false, \"points\": [[1, \"x\"]], \"failure\": null}"
      })
  void aResultThatIsNoSegmentIsRefused(String json) {
    var values = (ObjectNode) TrialMessage.JSON.readTree(json);
    TrialMessage message =
        TrialMessage.read("a trial's result", TrialMessage.write(values, new byte[0]));

    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(message::segment)
        .withMessageStartingWith("a trial's result must hold a segment of a trial, was ");
  }

  @Test
  void aPieceWithoutARunIsRefused() throws IOException {
    byte[] piece = TrialMessage.write(TrialMessage.JSON.createObjectNode(), new byte[0]);

    try (Job job = new TrialKind().open(TrialKind.setup("reward", null, false))) {
      assertThatExceptionOfType(WorkException.class)
          .isThrownBy(() -> job.work(new byte[0], piece))
          .withMessageStartingWith("a trial must hold the run of a trial, was ");
    }
  }

  @Test
  void itsKindIsFoundByName() {
    assertThat(Backends.kind("tune trial")).isInstanceOf(TrialKind.class);
  }

  @Test
  void bytesThatAreNoMessageAreRefused() {
    for (byte[] bytes :
        List.of(
            new byte[0],
            new byte[] {100, '{'},
            new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1},
            new byte[] {2, '{', '}'},
            new byte[] {1, '{', 0})) {
      assertThatExceptionOfType(WorkException.class)
          .isThrownBy(() -> TrialMessage.read("a trial", bytes))
          .withMessageStartingWith("a trial must be ");
    }
  }

  private TrialMessage train(Job job, Trial trial, int to, byte[] from) throws IOException {
    byte[] piece = TrialKind.piece(config().runOf(trial), to, from);
    return TrialMessage.read("answer", job.work(new byte[0], piece));
  }

  private Failure failure(Job job, Trial trial) throws IOException {
    return Objects.requireNonNull(
        train(job, trial, 2, new byte[0]).segment().failure(), trial.toString());
  }

  private Checkpoint checkpoint(TrialMessage message) throws IOException {
    return CheckpointFile.read(Files.write(folder.resolve("answer.ckpt"), message.checkpoint()));
  }

  private static byte[] bytes(StateDict tensors) {
    return new SafeTensors(tensors, Map.of()).toBytes();
  }

  private static Trial trial(String path, String value) {
    return new Trial(1, List.of(new Setting(path, value)));
  }
}
