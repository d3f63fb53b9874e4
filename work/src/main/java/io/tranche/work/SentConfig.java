package io.tranche.work;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;

/// Configurations on their way to other processes. Every setup of a job that holds one is written
/// and read here.
public final class SentConfig {

  private SentConfig() {}

  /// Returns a run as text, in which files have absolute paths.
  ///
  /// @throws ConfigException if a part is an object that no other process has
  public static String of(ExecutionRun run) {
    run.rejectObjects("other processes");
    return ConfigPaths.absolute(run.toConfig()).toYaml();
  }

  /// Reads what [#of] returned. Files of other file systems are copied to this machine.
  ///
  /// @throws ConfigException if a setting is wrong
  public static ExecutionRun run(String text) {
    return ExecutionRun.read(ConfigPaths.staged(ConfigFiles.parse("run", text)), _ -> {});
  }

  /// Writes a configuration that a typed value was turned into.
  public static void write(ConfigNode config, DataOutputStream out) throws IOException {
    PieceCodec.writeText(config.toYaml(), out);
  }

  /// Reads what [#write] wrote.
  ///
  /// @param name the name of the configuration in errors
  public static ConfigNode read(String name, DataInputStream in) throws IOException {
    String text = PieceCodec.readText(in);
    try {
      return ConfigFiles.parse(name, text);
    } catch (ConfigException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
  }
}
