package io.tranche.work.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Training runs of a second, and whether they are the same.
final class SmallRuns {

  static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 2, days: 12}}
      env: {concurrency: 10, parallel_mode: shmem}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 3, episodes_per_iteration: 40, batch_size: 160, repeat: 1}
      validation: {every: 2, judge: false}
      """;

  private SmallRuns() {}

  static ConfigNode config(String... assignments) {
    ConfigNode config = ConfigFiles.parse("small.yml", CONFIG);
    for (String assignment : assignments) {
      config = config.with(assignment);
    }
    return config;
  }

  /// Trains.
  ///
  /// @param place null for none but this process
  /// @param from null to begin
  static Trainer train(
      ConfigNode config, Path folder, @Nullable JobBackend place, @Nullable Path from) {
    try (var experiment = open(config, folder, place)) {
      return experiment.train(from);
    }
  }

  static TrainingRun<?> open(ConfigNode config, Path folder, @Nullable JobBackend place) {
    return open(config, folder, place, false);
  }

  static TrainingRun<?> open(
      ConfigNode config, Path folder, @Nullable JobBackend place, boolean skipsBad) {
    return TrainingRun.open(
        ExecutionRun.read(config, _ -> {}),
        TrainingOptions.in(folder)
            .withThreads(2)
            .skippingBad(skipsBad)
            .withElsewhere(place == null ? null : RemoteRollouts.on(place)),
        (_, _, _) -> {},
        TrainingProgress.NONE,
        InstantSource.fixed(Instant.EPOCH));
  }

  static JobBackend threads(int count) {
    return Backends.open(Backends.LOCAL, BackendSettings.ofThreads(count));
  }

  /// Every file that one has the other has, to the byte, but for what the process itself used.
  static void assertSame(Path one, Path other) throws IOException {
    List<String> files = files(one);
    assertThat(files(other)).isEqualTo(files);
    for (String file : files) {
      assertThat(Files.mismatch(one.resolve(file), other.resolve(file))).as(file).isEqualTo(-1);
    }
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(file -> !file.equals("process.jsonl"))
          .sorted()
          .toList();
    }
  }
}
