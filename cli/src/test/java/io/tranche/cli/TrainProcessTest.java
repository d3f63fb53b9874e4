package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Cases;
import io.tranche.testkit.Shared;
import io.tranche.testkit.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Training in processes of its own, which are killed, interrupted, and run where Qlib would.
class TrainProcessTest {

  private static final long MAX_SECONDS = 600;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy={class: Ppo, kwargs: {learning_rate: 1.0e-3}}",
        "policy={class: Dqn, kwargs: {learning_rate: 1.0e-3, minibatches: 2}}"
      })
  void aKilledRunGoesOnAsIfNothingHadHappened(String policy) throws Exception {
    SmallTraining.write(folder);
    assertGoesOn(List.of("--set", policy, "--set", "trainer.max_iterations=8"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{class: Ppo, kwargs: {learning_rate: 1.0e-3, head: gaussian}}",
        "{class: Ppo, kwargs: {learning_rate: 1.0e-3, head: beta}}",
        "{class: Sac, kwargs: {learning_rate: 1.0e-3, minibatches: 2}}"
      })
  void aKilledRunOfContinuousActionsGoesOnAsIfNothingHadHappened(String policy) throws Exception {
    SmallTraining.write(folder);
    assertGoesOn(
        List.of(
            "--set",
            "policy=" + policy,
            "--set",
            "action_interpreter={class: QuoteInterpreter, kwargs: {max_offset_bps: 5, max_rate: 4}}",
            "--set",
            "trainer.max_iterations=8"));
  }

  @Test
  void aKilledStudentGoesOnAsIfNothingHadHappened() throws Exception {
    SmallTraining.write(folder);
    Run teacher = Run.of(arguments("teacher", List.of("--set", "hindsight=true")));
    assertThat(teacher.status()).as(teacher.err()).isZero();

    var settings = new ArrayList<>(List.of(SmallTraining.taughtBy(folder.resolve("teacher"))));
    settings.addAll(List.of("--set", "trainer.max_iterations=8"));
    assertGoesOn(settings);
  }

  /// N and M iterations in one go leave the same as N, a kill, and M.
  private void assertGoesOn(List<String> settings) throws Exception {
    Run straight = Run.of(arguments("straight", settings));
    Process killed = start("killed", settings);

    await(killed, folder.resolve("killed/checkpoints/003.ckpt"));
    killed.destroyForcibly().waitFor();
    Run resumed = Run.of(arguments("killed", plus(settings, "--resume")));

    assertThat(straight.status()).as(straight.err()).isZero();
    assertThat(resumed.status()).as(resumed.err()).isZero();
    SmallTraining.assertSameRun(folder.resolve("straight"), folder.resolve("killed"));
  }

  @Test
  void aSecondTrainingInAFolderAtWorkEndsAtOnceAndChangesNothing() throws Exception {
    SmallTraining.write(folder);
    List<String> settings =
        List.of("--set", "trainer.max_iterations=100000", "--set", "validation.every=null");
    Process process = start("one", settings);
    try {
      await(process, folder.resolve("one/checkpoints/003.ckpt"));
      // Paused, so that only the second could change anything.
      signal(process, "-STOP");
      List<String> before = Files.readAllLines(folder.resolve("one/metrics.jsonl"));

      for (String how : List.of("--resume", "--overwrite")) {
        Run second = Run.of(arguments("one", plus(settings, how)));

        assertThat(second.status()).isEqualTo(2);
        assertThat(second.err().lines())
            .singleElement()
            .asString()
            .contains(folder.resolve("one").toString())
            .endsWith("was in use by process " + process.pid());
        assertDocumented(second.err().substring(second.err().indexOf("expected")));
      }
      assertThat(Files.readAllLines(folder.resolve("one/metrics.jsonl"))).isEqualTo(before);
    } finally {
      process.destroyForcibly().waitFor();
    }

    Run after = Run.of(arguments("one", List.of("--resume", "--set", "trainer.max_iterations=1")));
    assertThat(after.err()).doesNotContain("in use");
  }

  @Test
  void anInterruptedRunSavesAndGoesOn() throws Exception {
    SmallTraining.write(folder);
    List<String> settings =
        List.of("--set", "trainer.max_iterations=500", "--set", "validation.every=null");
    Process process = start("one", settings);

    await(process, folder.resolve("one/checkpoints/001.ckpt"));
    signal(process, "-INT");
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(Files.readString(folder.resolve("log.txt")))
        .contains("interrupted; continue with --resume");
    List<String> names = SmallTraining.checkpoints(folder.resolve("one"));
    int last = Integer.parseInt(names.get(names.size() - 2).substring(0, 3));
    Run resumed =
        Run.of(
            arguments(
                "one",
                List.of(
                    "--resume",
                    "--set",
                    "trainer.max_iterations=" + (last + 1),
                    "--set",
                    "validation.every=null")));
    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("done after %d iterations".formatted(last + 1));
  }

  @Test
  void aSecondInterruptKills() throws Exception {
    SmallTraining.write(folder);
    // One iteration that takes longer than anyone waits.
    Process process =
        start(
            "one",
            List.of(
                "--set",
                "trainer.episodes_per_iteration=100000000",
                "--set",
                "validation.every=null"));

    await(process, folder.resolve("one/metrics.jsonl"));
    signal(process, "-INT");
    assertThat(process.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
    // Two that come before the process gets a turn are one to it.
    for (int i = 0; i < MAX_SECONDS && process.isAlive(); i++) {
      kill(process, "-INT");
      process.waitFor(1, TimeUnit.SECONDS);
    }

    assertThat(process.isAlive()).isFalse();
    assertThat(process.exitValue()).isEqualTo(130);
  }

  @Test
  void aRunWithoutAFolderIsCalledAsItsConfiguration() throws Exception {
    SmallTraining.write(folder);

    Process process =
        SmallTraining.start(folder, List.of("train", "small.yml", "--fast-dev-run", "1"));
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
    assertThat(SmallTraining.checkpoints(folder.resolve("runs/small"))).contains("latest.ckpt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_train_ppo", "run_train_opds"})
  void qlibsConfigurationsRunAsTheyAre(String name) throws Exception {
    copy(Shared.orSkip("qlib-run/data/pickle"), folder.resolve("data/pickle"));
    copy(Shared.orSkip("qlib-run/data/orders"), folder.resolve("data/orders"));
    copy(Shared.orSkip("qlib-run/exp_configs"), folder.resolve("exp_configs"));
    int episodes = Cases.count(60, 1000);

    Process process =
        SmallTraining.start(
            folder,
            List.of(
                "train",
                "exp_configs/" + name + ".yml",
                "--set",
                "trainer.max_epoch=4",
                "--set",
                "trainer.episode_per_collect=" + episodes,
                "--set",
                "trainer.repeat_per_collect=2",
                "--run_backtest"));
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

    String log = Files.readString(folder.resolve("log.txt"));
    assertThat(process.exitValue()).as(log).isZero();
    assertThat(log).doesNotContain("warning: ").contains("validation: ", "test: reward");
    Path run = folder.resolve("outputs").resolve(name.substring("run_train_".length()));
    assertThat(SmallTraining.checkpoints(run))
        .contains("001.ckpt", "001.pth", "004.ckpt", "004.pth", "latest.ckpt", "latest.pth");
    assertThat(Files.readAllLines(run.resolve("train_result.csv"))).hasSize(5);
    assertThat(Files.readAllLines(run.resolve("validation_result.csv"))).hasSize(2);
    assertThat(Files.readAllLines(run.resolve("result.csv")).getFirst())
        .contains("reward,stock_id");
  }

  @Test
  void weightsOfARealRunAreTestedWithoutTraining() throws Exception {
    copy(Shared.orSkip("qlib-run/data/pickle"), folder.resolve("data/pickle"));
    copy(Shared.orSkip("qlib-run/data/orders"), folder.resolve("data/orders"));
    Path config = Shared.orSkip("qlib-run/exp_configs/run_train_opds.yml");
    Path weights = Shared.orSkip("qlib-run/outputs/opds/checkpoints/latest.pth");

    Process process =
        SmallTraining.start(
            folder,
            List.of(
                "train",
                config.toString(),
                "--no_training",
                "--run_backtest",
                "--set",
                "policy.kwargs.weight_file=" + weights));
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
    assertThat(folder.resolve("outputs/opds/result.csv")).isNotEmptyFile();
    assertThat(folder.resolve("outputs/opds/checkpoints")).doesNotExist();
  }

  private static void signal(Process process, String signal) throws Exception {
    Skip.unless(kill(process, signal) == 0, "no signals here");
  }

  private static int kill(Process process, String signal) throws Exception {
    return new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
  }

  private static void await(Process process, Path file) throws Exception {
    while (!Files.exists(file) && process.isAlive()) {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
  }

  private Process start(String run, List<String> settings) throws IOException {
    return SmallTraining.start(folder, List.of(arguments(run, settings)));
  }

  private String[] arguments(String run, List<String> settings) {
    var arguments =
        new ArrayList<>(
            List.of(
                "train",
                folder.resolve("small.yml").toString(),
                "--out",
                folder.resolve(run).toString()));
    arguments.addAll(settings);
    return arguments.toArray(String[]::new);
  }

  private static List<String> plus(List<String> settings, String more) {
    return Stream.concat(settings.stream(), Stream.of(more)).toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
