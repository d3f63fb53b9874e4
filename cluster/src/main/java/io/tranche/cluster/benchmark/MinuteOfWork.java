package io.tranche.cluster.benchmark;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.selection.RunBacktests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// A backtest that keeps two cores busy for about a minute: an order on each of 400 days of 100
/// generated instruments, with a recurrent network of 512 that is hardly trained.
final class MinuteOfWork {

  private static final String TRAINING =
      """
      tranche: 1
      data: {market: {instruments: 100, days: 400}}
      env: {concurrency: 2, parallel_mode: dummy}
      network: {class: RecurrentNetwork, kwargs: {hidden: 512, output: 32}}
      trainer: {max_iterations: 1, episodes_per_iteration: 2, repeat: 1}
      validation: {judge: false}
      """;

  private static final InstantSource NO_CLOCK = InstantSource.fixed(Instant.EPOCH);

  private MinuteOfWork() {}

  /// Makes data, weights and orders below `folder` and returns the backtest's configuration.
  static ConfigNode in(Path folder) {
    var run = new RunFolder(folder.resolve("run"));
    var options = TrainingOptions.in(run.folder()).withFastDevRun(2);
    try (TrainingRun<?> training =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.parse("training", TRAINING), _ -> {}),
            options,
            (_, _, _) -> {},
            TrainingProgress.NONE,
            NO_CLOCK)) {
      training.train(null);
    }
    ConfigNode config = RunBacktests.of(run, (_, _, _) -> {}).getFirst().config();
    return config
        .with("order_file=" + orders(run.folder().resolve("data/bars"), folder))
        .with(
            "strategies.1day.kwargs.policy.kwargs.weight_file="
                + run.checkpoints().resolve("001.ckpt"));
  }

  private static Path orders(Path store, Path folder) {
    var lines = new ArrayList<>(List.of("datetime,instrument,amount,direction"));
    try (QlibStore bars = QlibStore.open(store, Frequency.parse("5min"))) {
      for (int day = 0; day < bars.calendar().days(); day++) {
        for (String instrument : bars.instruments()) {
          lines.add("%s,%s,1000,%d".formatted(bars.calendar().date(day), instrument, day % 2));
        }
      }
    }
    Path file = folder.resolve("orders.csv");
    try {
      return Files.write(file, lines);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
