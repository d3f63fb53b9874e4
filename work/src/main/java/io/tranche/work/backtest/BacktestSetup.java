package io.tranche.work.backtest;

import io.tranche.config.ConfigNode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.work.ConfigPaths;
import io.tranche.work.PieceCodec;
import io.tranche.work.SentConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// The setup of a backtest for another process: its configuration, and the content of the weight
/// files that the configuration names.
///
/// @param weights the content of each weight file, by its path
record BacktestSetup(
    ConfigNode config, boolean apart, boolean logs, SortedMap<String, byte[]> weights) {

  /// @throws CheckpointException if weights cannot be read
  static BacktestSetup of(BacktestPlan plan, BacktestOptions options) {
    var weights = new TreeMap<String, byte[]>();
    for (PolicyLevel each : plan.policies()) {
      String file = each.weightFile();
      if (file != null) {
        weights.put(ConfigPaths.absolute(file), bytes(Path.of(file)));
      }
    }
    return new BacktestSetup(plan.toConfig(), options.apart(), options.logs(), weights);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  byte[] bytes() {
    return PieceCodec.write(
        out -> {
          SentConfig.write(config, out);
          out.writeBoolean(apart);
          out.writeBoolean(logs);
          PieceCodec.writeNumber(weights.size(), out);
          for (var weight : weights.entrySet()) {
            PieceCodec.writeText(weight.getKey(), out);
            PieceCodec.writeBytes(weight.getValue(), out);
          }
        });
  }

  static BacktestSetup read(byte[] bytes) {
    return PieceCodec.read(
        "the setup of a backtest",
        bytes,
        in -> {
          ConfigNode config = SentConfig.read("backtest", in);
          boolean apart = in.readBoolean();
          boolean logs = in.readBoolean();
          var weights = new TreeMap<String, byte[]>();
          for (int left = PieceCodec.readCount(in, 2); left > 0; left--) {
            weights.put(PieceCodec.readText(in), PieceCodec.readBytes(in));
          }
          return new BacktestSetup(config, apart, logs, weights);
        });
  }

  /// Writes the weights to files in `folder` and returns the configuration that names these.
  ConfigNode unpackedIn(Path folder) throws IOException {
    var files = new TreeMap<String, String>();
    for (var weight : weights.entrySet()) {
      Path own = Files.createDirectory(folder.resolve(Integer.toString(files.size())));
      Path file = own.resolve(Path.of(weight.getKey()).getFileName());
      Files.write(file, weight.getValue());
      files.put(weight.getKey(), file.toString());
    }
    return config.withTexts(
        (key, text) -> key.equals(BacktestPlan.WEIGHTS) ? files.getOrDefault(text, text) : text);
  }
}
