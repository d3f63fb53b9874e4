package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Teachers and students (OPD), as configurations describe them.
class DistillationRunTest {

  @TempDir Path folder;
  private Path config;

  @BeforeEach
  void trainATeacher() throws IOException {
    config = SmallTraining.write(folder);
    Run run = train("teacher", "--set", "hindsight=true", "--set", "network.kwargs.hidden=6");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("validation of a teacher, which sees the future: ")
        .doesNotContain("validation: ");
  }

  @Test
  void aStudentHearsItsTeacher() throws IOException {
    Run alone = train("alone");
    Run run = student("student");

    assertThat(alone.status()).as(alone.err()).isZero();
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Files.readString(folder.resolve("student/metrics.jsonl"))).contains("loss/teacher");
    assertThat(Files.readString(folder.resolve("student/config.yml"))).contains("sha256: ");
    assertThat(
            Files.mismatch(
                folder.resolve("student/checkpoints/004.ckpt"),
                folder.resolve("alone/checkpoints/004.ckpt")))
        .isNotEqualTo(-1);
  }

  @Test
  void theConfigurationOfAStudentGivesItsRunAgain() throws IOException {
    student("one");

    Run again =
        Run.of(
            "train", path("one/config.yml"), "--out", path("two"), "--set", "validation.every=2");

    assertThat(again.status()).as(again.err()).isZero();
    SmallTraining.assertSameRun(folder.resolve("one"), folder.resolve("two"));
  }

  @Test
  void aTeacherIsNotTested() {
    Run run = train("other", "--set", "hindsight=true", "--run-backtest");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains("--run-backtest: expected a policy that does not see the future, was a teacher");
    assertThat(folder.resolve("other")).doesNotExist();
  }

  @Test
  void aTeachersWeightsAreNotTakenForAPolicyThatSeesLess() {
    Run run =
        train(
            "other",
            "--set",
            "network.kwargs.hidden=6",
            "--set",
            "policy.kwargs.weight_file=" + path("teacher/checkpoints/latest.ckpt"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "policy.kwargs.weight_file: expected weights of a policy that does not see the future");
  }

  @Test
  void anotherTeacherIsNotTakenInTheMiddle() throws IOException {
    student("student", "--set", "trainer.max_iterations=2");
    Path latest = folder.resolve("teacher/checkpoints/latest.ckpt");
    Files.delete(latest);
    Files.copy(folder.resolve("teacher/checkpoints/001.ckpt"), latest);

    Run resumed = student("student", "--resume");
    Run without = train("student", "--resume");

    assertThat(resumed.status()).isEqualTo(4);
    assertThat(resumed.err()).contains("002.ckpt: teacher: expected the one with sha256 ");
    assertThat(without.status()).isEqualTo(4);
    assertThat(without.err())
        .contains("002.ckpt: teacher: expected none, was the one with sha256 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "action_interpreter.kwargs.shares=5 | distillation.teacher: expected a teacher with this run's action_interpreter, {class: CategoricalInterpreter, kwargs: {shares: 5}}, not with {class: CategoricalInterpreter, kwargs: {shares: 4}}",
        "state_interpreter.kwargs.mirror=false | expected a teacher with this run's state_interpreter",
        "simulator.kwargs.minutes_per_step=60 | expected a teacher with this run's simulator",
        "distillation.weight=0 | distillation.weight: expected a number above 0, was 0",
        "distillation.wieght=1 | (nearest: weight), was 'wieght'",
        "distillation.sha256=abc | distillation.sha256: expected ",
        "hindsight=true | hindsight: expected false, because students do not see the future",
        "policy={class: Dqn, kwargs: {learning_rate: 0.1}} | policy.class: expected a policy that can be taught, such as Ppo, was 'Dqn'",
        "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 6}} | a teacher with this run's action_interpreter, {class: TwapRelativeInterpreter, kwargs: {max_rate: 6}}, not with {class: CategoricalInterpreter, kwargs: {shares: 4}}"
      })
  void namesWhatDoesNotFitBeforeAnythingRuns(String assignment, String complaint) {
    Run run = student("student", "--set", assignment);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(complaint);
    assertThat(run.err().lines().count()).isEqualTo(1);
    assertThat(folder.resolve("student")).doesNotExist();
  }

  @Test
  void aStudentIsNoTeacher() {
    train("alone");

    Run run = taughtBy("alone", "student");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("expected a checkpoint of a run with 'hindsight: true'");
  }

  @Test
  void aMissingTeacherIsNamed() {
    Run run = taughtBy("nobody", "student");

    assertThat(run.status()).isEqualTo(4);
    assertThat(run.err()).contains("latest.ckpt: expected a file, was nothing there");
  }

  private Run student(String run, String... more) {
    return taughtBy("teacher", run, more);
  }

  private Run taughtBy(String teacher, String run, String... more) {
    var arguments = new ArrayList<>(List.of(SmallTraining.taughtBy(folder.resolve(teacher))));
    arguments.addAll(List.of(more));
    return train(run, arguments.toArray(String[]::new));
  }

  private Run train(String run, String... more) {
    var arguments = new ArrayList<>(List.of("train", config.toString(), "--out", path(run)));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private String path(String run) {
    return folder.resolve(run).toString();
  }
}
