package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `train --on`: the same run, wherever its episodes are played.
class TrainOnTest {

  private static final long MAX_SECONDS = 120;

  @TempDir Path folder;

  private Run train(String out, String... more) throws IOException {
    var arguments =
        new ArrayList<>(
            List.of(
                "train",
                SmallTraining.write(folder).toString(),
                "--out",
                folder.resolve(out).toString()));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  @Test
  void leavesTheSameRun() throws IOException {
    Run alone = train("alone");
    Run two = train("two", "--on", "threads://2");
    Run local = train("local", "--on", "local");

    assertThat(alone.status()).as(alone.err()).isZero();
    assertThat(two.status()).as(two.err()).isZero();
    assertThat(two.out()).contains("episodes are played on local, 2 at a time");
    assertThat(local.status()).as(local.err()).isZero();
    SmallTraining.assertSameRun(folder.resolve("alone"), folder.resolve("two"));
    SmallTraining.assertSameRun(folder.resolve("alone"), folder.resolve("local"));
  }

  @Test
  void aRunIsResumedAnywhere() throws IOException {
    train("alone");
    train("moved", "--on", "threads://3", "--set", "trainer.max_iterations=2");

    Run resumed = train("moved", "--resume");

    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertSameCheckpoint();
  }

  private void assertSameCheckpoint() throws IOException {
    assertThat(
            Files.mismatch(
                folder.resolve("alone/checkpoints/004.ckpt"),
                folder.resolve("moved/checkpoints/004.ckpt")))
        .isEqualTo(-1);
  }

  @Test
  void aRunIsResumedElsewhere() throws IOException {
    train("alone");
    train("moved", "--set", "trainer.max_iterations=2");

    Run resumed = train("moved", "--resume", "--on", "threads://2");

    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertSameCheckpoint();
  }

  @Test
  void aPlaceThatNobodyServesIsNamed() throws IOException {
    Run run = train("one", "--on", "moon://1");

    assertThat(run.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(run.err()).contains("--on: expected local").contains("was moon://1");
  }

  @Test
  void anInterruptedRunSavesAndEnds() throws Exception {
    SmallTraining.write(folder);
    Process process =
        SmallTraining.start(
            folder,
            List.of(
                "train",
                "small.yml",
                "--out",
                "one",
                "--on",
                "threads://2",
                "--set",
                "trainer.max_iterations=100000",
                "--set",
                "validation.every=null"));
    try {
      Path first = folder.resolve("one/checkpoints/001.ckpt");
      while (process.isAlive() && !Files.exists(first)) {
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).as(log()).isEqualTo(130);
    assertThat(log()).contains("interrupted; continue with --resume");
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log.txt"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_train_ppo", "run_train_opds"})
  void qlibsConfigurationsGiveTheSameRun(String name) throws Exception {
    Path data = Shared.orSkip("qlib-run/data");
    Path configs = Shared.orSkip("qlib-run/exp_configs");
    Files.createSymbolicLink(folder.resolve("data"), data.toAbsolutePath());
    for (String out : List.of("alone", "helped")) {
      var arguments =
          new ArrayList<>(
              List.of(
                  "train",
                  configs.resolve(name + ".yml").toAbsolutePath().toString(),
                  "--out",
                  out,
                  "--set",
                  "trainer.max_epoch=2",
                  "--set",
                  "trainer.val_every_n_epoch=2",
                  "--set",
                  "trainer.episode_per_collect=30",
                  "--set",
                  "trainer.repeat_per_collect=1"));
      if (out.equals("helped")) {
        arguments.addAll(List.of("--on", "threads://3"));
      }
      Process process = SmallTraining.start(folder, arguments);
      assertThat(process.waitFor(5 * MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(log()).isZero();
    }

    SmallTraining.assertSameRun(folder.resolve("alone"), folder.resolve("helped"));
  }
}
