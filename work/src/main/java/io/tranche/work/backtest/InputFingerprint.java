package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import io.tranche.files.Sha256;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The digest of everything that partial results of a backtest depend on: configuration, orders,
/// their groups, and weights, but neither the number of threads nor the output folder. Stores are
/// not read for it: a user who changes bars between two runs must restart the backtest.
final class InputFingerprint {

  private InputFingerprint() {}

  static String of(
      BacktestPlan plan, BacktestOptions options, BacktestOrders orders, List<InstrumentRun> runs) {
    var hash =
        new Sha256()
            .add(plan.config().without("concurrency").without("output_dir").toYaml())
            .add("apart %s, logs %s".formatted(options.apart(), options.logs()));
    orders.byInstrument().values().forEach(entries -> hash.add(entries.toString()));
    runs.forEach(run -> hash.add(run.groups().stream().map(List::size).toList().toString()));
    for (PolicyLevel each : plan.policies()) {
      String file = each.weightFile();
      if (file == null) {
        continue;
      }
      try {
        hash.add(ByteBuffer.wrap(Files.readAllBytes(Path.of(file))));
      } catch (IOException e) {
        throw CheckpointException.unreadable(Path.of(file), e);
      }
    }
    return hash.hex();
  }
}
