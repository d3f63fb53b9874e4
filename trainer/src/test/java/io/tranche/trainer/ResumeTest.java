package io.tranche.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.ParallelFor;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.testkit.TestProcess;
import io.tranche.trainer.Walk.Seen;
import io.tranche.trainer.checkpoint.CheckpointFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResumeTest {

  private static final int ITERATIONS = 7;

  @TempDir Path folder;
  private final ParallelFor parallel = new ParallelFor(1);

  @AfterEach
  void dismiss() {
    parallel.close();
  }

  private Algorithm<Seen> algorithm(String name) {
    return name.equals("ppo") ? Runs.ppo(parallel) : new Remembering();
  }

  @ParameterizedTest
  @CsvSource({"ppo, 3", "ppo, 4", "remembering, 3", "remembering, 4"}) // validated is the fourth
  void goesOnAsIfItHadNeverStopped(String algorithm, int stop) {
    Path straight = folder.resolve("straight");
    Path stopped = folder.resolve("stopped");

    Runs.trainer(Runs.config(ITERATIONS, 1), straight).fit(Runs.vessel(algorithm(algorithm)));
    Runs.trainer(Runs.config(stop, 1), stopped).fit(Runs.vessel(algorithm(algorithm)));
    Runs.trainer(Runs.config(ITERATIONS, 1), stopped)
        .resume(
            Runs.vessel(algorithm(algorithm)),
            stopped.resolve("checkpoints/00%d.ckpt".formatted(stop)));

    // What was saved at the stop says that the run was to end there.
    String said = "00%d.ckpt".formatted(stop);
    assertThat(contents(stopped, said)).isEqualTo(contents(straight, said));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ppo", "remembering"})
  void goesOnAfterAKill(String algorithm) throws IOException, InterruptedException {
    Path straight = folder.resolve("straight");
    Path killed = folder.resolve("killed");
    Runs.trainer(Runs.config(ITERATIONS, 1), straight).fit(Runs.vessel(algorithm(algorithm)));

    var command = new ArrayList<>(TestProcess.command("trainer", TrainMain.class));
    command.add(1, "--add-modules=jdk.incubator.vector");
    command.addAll(List.of(algorithm, killed.toString(), Integer.toString(ITERATIONS)));
    Process child = new ProcessBuilder(command).start();
    try (var lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.equals("validating after 3")) {
        line = lines.readLine();
      }
      assertThat(line)
          .as(() -> "what the child says: " + errors(child))
          .isEqualTo("validating after 3");
    } finally {
      child.destroyForcibly().waitFor();
    }
    var found =
        Objects.requireNonNull(
            CheckpointFolder.newest(killed.resolve("checkpoints"), _ -> {}), "a checkpoint");
    Runs.trainer(Runs.config(ITERATIONS, 1), killed)
        .resume(Runs.vessel(algorithm(algorithm)), found.file());

    assertThat(contents(killed, "")).isEqualTo(contents(straight, ""));
  }

  private static String errors(Process child) {
    try {
      return new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void givesTheSameBytesOnAnyNumberOfThreads(int threads) {
    Path one = folder.resolve("one");
    Path many = folder.resolve("many");

    Runs.trainer(Runs.config(3, 1), one).fit(Runs.vessel(Runs.ppo(parallel)));
    try (var more = new ParallelFor(threads)) {
      Runs.trainer(Runs.config(3, threads), many).fit(Runs.vessel(Runs.ppo(more)));
    }

    assertThat(contents(many, "")).isEqualTo(contents(one, ""));
  }

  @Test
  void remembersWhatWasExperiencedBefore() {
    var algorithm = new Remembering();
    Runs.trainer(Runs.config(2, 1), folder).fit(Runs.vessel(algorithm));
    assertThat(algorithm.lastSteps).isEqualTo(2 * 8 * 6);

    var resumed = new Remembering();
    Runs.trainer(Runs.config(3, 1), folder)
        .resume(Runs.vessel(resumed), folder.resolve("checkpoints/002.ckpt"));

    assertThat(resumed.lastSteps).isEqualTo(3 * 8 * 6);
    assertThat(resumed.lastShared).as("observations of two steps").isEqualTo(3 * 8 * 5);
  }

  @Test
  void aKillBetweenACheckpointAndItsBestIsRepaired() throws IOException {
    Path straight = folder.resolve("straight");
    Path killed = folder.resolve("killed");
    Runs.trainer(Runs.config(6, 1), straight).fit(Runs.vessel(Runs.ppo(parallel)));
    Runs.trainer(Runs.config(6, 1), killed).fit(Runs.vessel(Runs.ppo(parallel)));
    Files.deleteIfExists(killed.resolve("best/best-002.ckpt"));

    Runs.trainer(Runs.config(6, 1), killed)
        .resume(Runs.vessel(Runs.ppo(parallel)), killed.resolve("checkpoints/002.ckpt"));

    assertThat(contents(killed, "")).isEqualTo(contents(straight, ""));
  }

  @Test
  void aFinishedRunIsNotTrainedAgain() {
    Runs.trainer(Runs.config(2, 1), folder).fit(Runs.vessel(Runs.ppo(parallel)));
    Map<String, String> before = contents(folder, "");

    Trainer resumed = Runs.trainer(Runs.config(2, 1), folder);
    resumed.resume(Runs.vessel(Runs.ppo(parallel)), folder.resolve("checkpoints/latest.ckpt"));

    assertThat(resumed.iterations()).isEqualTo(2);
    assertThat(contents(folder, "")).isEqualTo(before);
  }

  @Test
  void aCheckpointOfAnotherRunIsRefused() {
    Runs.trainer(Runs.config(1, 1), folder).fit(Runs.vessel(Runs.ppo(parallel)));
    Path file = folder.resolve("checkpoints/001.ckpt");

    assertThatThrownBy(
            () ->
                Runs.trainer(TrainerConfig.of(12, 4), folder)
                    .resume(Runs.vessel(Runs.ppo(parallel)), file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("001.ckpt: seed: expected the seed 12 of the run, was 11");
    assertThatThrownBy(
            () ->
                Runs.trainer(Runs.config(2, 1), folder)
                    .resume(Runs.vessel(new Remembering()), file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("expected a replay buffer, was none");
  }

  /// Returns every file as text, but those whose names end with `except`.
  static Map<String, String> contents(Path folder, String except) {
    var contents = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String name = folder.relativize(file).toString();
        if (except.isEmpty() || !name.endsWith(except)) {
          contents.put(name, HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return contents;
  }
}
