package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import io.tranche.config.ConfigNode;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// What the parts of a backtest's results depend on, in 64 digits: configuration, orders, how these
/// are grouped, and weights, but neither the number of threads nor where results are put. Stores
/// are not read for it: who changes bars between two runs has to say so.
final class InputFingerprint {

  private InputFingerprint() {}

  static String of(
      ConfigNode filled, BacktestOptions options, BacktestOrders orders, List<InstrumentRun> runs) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
    add(digest, filled.without("concurrency").without("output_dir").toYaml());
    add(digest, "apart %s, logs %s".formatted(options.apart(), options.logs()));
    orders.byInstrument().values().forEach(entries -> add(digest, entries.toString()));
    runs.forEach(run -> add(digest, run.groups().stream().map(List::size).toList().toString()));
    for (String file : TrainedSettings.weightFiles(filled.required("strategies"))) {
      try {
        digest.update(Files.readAllBytes(Path.of(file)));
      } catch (IOException e) {
        throw CheckpointException.unreadable(Path.of(file), e);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }
}
