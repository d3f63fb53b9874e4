package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.checkpoint.RunPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A training run of a second or two, and its traces.
final class SmallTraining {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 2, days: 20}}
      env: {concurrency: 10, parallel_mode: shmem}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 4, episodes_per_iteration: 20, repeat: 1}
      validation: {every: 2}
      """;

  private SmallTraining() {}

  static Path write(Path folder) throws IOException {
    return Files.writeString(folder.resolve("small.yml"), CONFIG);
  }

  /// Returns the option that makes a run the student of another.
  static String[] taughtBy(Path teacher) {
    return new String[] {
      "--set",
      "distillation={teacher: '%s', weight: 0.2}"
          .formatted(teacher.resolve("checkpoints/latest.ckpt"))
    };
  }

  static List<String> checkpoints(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run.resolve("checkpoints"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// Everything that a run leaves but the times at which it happened.
  static void assertSameRun(Path one, Path other) throws IOException {
    var files =
        new ArrayList<>(
            List.of("metrics.jsonl", "train_result.csv", "validation_result.csv", "config.yml"));
    assertThat(checkpoints(other)).isEqualTo(checkpoints(one));
    checkpoints(one).forEach(name -> files.add("checkpoints/" + name));
    for (String file : files) {
      assertThat(Files.mismatch(one.resolve(file), other.resolve(file))).as(file).isEqualTo(-1);
    }
  }

  /// What a few iterations taught is the same choice over and over; other weights take others.
  static StateDict drawn(StateDict weights, long seed) {
    var random = new Random(seed);
    var values = new HashMap<Tensor, Tensor>(); // by identity: names may share a tensor
    var drawn = new LinkedHashMap<String, Tensor>();
    weights
        .tensors()
        .forEach(
            (name, tensor) ->
                drawn.put(name, values.computeIfAbsent(tensor, each -> draw(each, random))));
    return new StateDict(drawn);
  }

  /// Writes a checkpoint of the same run with other weights beside it.
  @SuppressWarnings("NullAway") // it misreads nested type arguments of classes of another module
  static Path other(Path checkpoint, int iterations, UnaryOperator<StateDict> weights) {
    Checkpoint from = CheckpointFile.read(checkpoint);
    RunPosition at = from.position();
    Path file = checkpoint.resolveSibling("%03d.ckpt".formatted(iterations));
    CheckpointFile.write(
        file,
        new Checkpoint(
            weights.apply(from.policy()),
            from.algorithm(),
            new RunPosition(
                at.seed(),
                iterations,
                at.episodes(),
                at.stage(),
                at.stop(),
                at.statesTaken(),
                at.failedEpisodes()),
            from.metrics(),
            from.callbacks(),
            from.loggers(),
            from.replay(),
            from.config()));
    return file;
  }

  private static Tensor draw(Tensor like, Random random) {
    float[] values = new float[like.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(like.shape(), values);
  }

  /// Starts a run in a process of its own, which knows all that this one does.
  static Process start(Path folder, List<String> arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                // A shell that runs the tests in the background ignores interrupts, and so would
                // we.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log.txt").toFile())
        .start();
  }
}
