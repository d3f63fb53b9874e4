package io.tranche.work.backtest;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.work.ConfigPaths;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What all groups of a backtest share, wherever they are worked: the configuration, and the
/// weights that it names by their files.
final class BacktestSetup {

  private static final String WEIGHTS = "weight_file";

  private final ConfigNode config;
  private final boolean apart;
  private final boolean logs;
  private final SortedMap<String, byte[]> weights;

  private BacktestSetup(
      ConfigNode config, boolean apart, boolean logs, Map<String, byte[]> weights) {
    this.config = config;
    this.apart = apart;
    this.logs = logs;
    this.weights = new TreeMap<>(weights);
  }

  /// @throws CheckpointException if weights cannot be read
  static BacktestSetup of(ConfigNode config, BacktestOptions options) {
    var weights = new TreeMap<String, byte[]>();
    ConfigNode absolute = ConfigPaths.absolute(config);
    for (String file : TrainedSettings.weightFiles(absolute.required("strategies"))) {
      Path here = ConfigPaths.staged(file);
      try {
        weights.put(file, Files.readAllBytes(here));
      } catch (IOException e) {
        throw CheckpointException.unreadable(here, e);
      }
    }
    return new BacktestSetup(absolute, options.apart(), options.logs(), weights);
  }

  byte[] bytes() {
    var packer = new Packer().put(config.toYaml()).put(apart).put(logs).put(weights.size());
    weights.forEach((file, content) -> packer.put(file).put(content));
    return packer.bytes();
  }

  static BacktestSetup read(byte[] bytes) {
    var packed = new Unpacker(bytes);
    ConfigNode config = ConfigFiles.parse("backtest", packed.nextText());
    boolean apart = packed.nextBoolean();
    boolean logs = packed.nextBoolean();
    var weights = new TreeMap<String, byte[]>();
    for (int left = packed.nextCount(2 * Integer.BYTES); left > 0; left--) {
      weights.put(packed.nextText(), packed.nextBytes());
    }
    packed.end();
    return new BacktestSetup(config, apart, logs, weights);
  }

  boolean apart() {
    return apart;
  }

  boolean logs() {
    return logs;
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
        (key, text) -> key.equals(WEIGHTS) ? files.getOrDefault(text, text) : text);
  }
}
