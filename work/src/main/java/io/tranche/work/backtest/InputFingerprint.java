package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import io.tranche.config.ConfigNode;
import io.tranche.files.Sha256;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the parts of a backtest's results depend on, in 64 digits: configuration, orders, how these
/// are grouped, and weights, but neither the number of threads nor where results are put. Stores
/// are not read for it: who changes bars between two runs has to say so.
final class InputFingerprint {

  private InputFingerprint() {}

  static String of(
      ConfigNode filled, BacktestOptions options, BacktestOrders orders, List<InstrumentRun> runs) {
    var hash =
        new Sha256()
            .add(filled.without("concurrency").without("output_dir").toYaml())
            .add("apart %s, logs %s".formatted(options.apart(), options.logs()));
    orders.byInstrument().values().forEach(entries -> hash.add(entries.toString()));
    runs.forEach(run -> hash.add(run.groups().stream().map(List::size).toList().toString()));
    for (String file : TrainedSettings.weightFiles(filled.required("strategies"))) {
      try {
        hash.add(ByteBuffer.wrap(Files.readAllBytes(Path.of(file))));
      } catch (IOException e) {
        throw CheckpointException.unreadable(Path.of(file), e);
      }
    }
    return hash.hex();
  }
}
