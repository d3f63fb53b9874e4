package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.StateDict;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.Backends;
import io.tranche.work.Job;
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
    try (Job job = new TrialKind().open(TrialKind.setup(config(), folder))) {
      TrialMessage straight = train(job, TRIAL, 4, new byte[0]);
      TrialMessage first = train(job, TRIAL, 1, new byte[0]);
      TrialMessage second = train(job, TRIAL, 3, first.checkpoint());
      TrialMessage third = train(job, TRIAL, 4, second.checkpoint());

      var points = new ArrayList<Point>();
      for (TrialMessage each : List.of(first, second, third)) {
        points.addAll(TrialSegment.read(each.values()).points());
      }
      assertThat(points).isEqualTo(TrialSegment.read(straight.values()).points()).hasSize(4);
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
    try (Job job = new TrialKind().open(TrialKind.setup(config(), folder))) {
      here = job.work(new byte[0], TrialKind.piece(TRIAL, 1, new byte[0]));
    }
    try (Job job = new TrialKind().open(TrialKind.setup(config(), folder.resolve("not-there")))) {
      elsewhere = job.work(new byte[0], TrialKind.piece(TRIAL, 1, new byte[0]));
    }

    assertThat(elsewhere).isEqualTo(here);
    assertThat(folder.resolve("not-there")).doesNotExist();
  }

  @Test
  void badSettingsAreAFailureOfTheTrial() throws IOException {
    try (Job job = new TrialKind().open(TrialKind.setup(config(), null))) {
      Failure unknown = failure(job, trial("policy.kwargs.learning_rat", "0.01"));
      Failure wrong = failure(job, trial("trainer.batch_size", "-1"));
      Failure often = failure(job, trial("validation", "{every: 1}"));
      Failure missing = failure(job, trial("data.instruments", "[NOBODY]"));
      Failure diverged = failure(job, trial("policy.kwargs.learning_rate", "1.0e+38"));

      assertThat(unknown.kind()).isEqualTo(Failure.Kind.CONFIG);
      assertThat(unknown.reason()).contains("learning_rat");
      assertThat(wrong.kind()).isEqualTo(Failure.Kind.CONFIG);
      assertThat(wrong.reason()).contains("trainer.batch_size: expected an integer of at least 1");
      assertThat(often.reason()).contains("expected validations as often as in the others, was 1");
      assertThat(missing.kind()).isEqualTo(Failure.Kind.DATA);
      assertThat(missing.reason()).contains("orders of [NOBODY]");
      assertThat(diverged.kind()).isEqualTo(Failure.Kind.DIVERGED);
      assertThat(diverged.reason()).startsWith("iteration ").doesNotContain("checkpoint");
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

  private static TrialMessage train(Job job, Trial trial, int to, byte[] from) {
    return TrialMessage.read("answer", job.work(new byte[0], TrialKind.piece(trial, to, from)));
  }

  private static Failure failure(Job job, Trial trial) {
    return Objects.requireNonNull(
        TrialSegment.read(train(job, trial, 2, new byte[0]).values()).failure(), trial.toString());
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
