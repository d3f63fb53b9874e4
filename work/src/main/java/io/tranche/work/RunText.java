package io.tranche.work;

import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;

/// A training run as text for other processes, where files have absolute paths.
public final class RunText {

  private RunText() {}

  /// @throws io.tranche.config.ConfigException if a part is an object that no other process has
  public static String of(ExecutionRun run) {
    run.rejectObjects("other processes");
    return ConfigPaths.absolute(run.toConfig()).toYaml();
  }

  /// Reads what [#of] returned. Files of other file systems are copied to this machine.
  ///
  /// @throws io.tranche.config.ConfigException if a setting is wrong
  public static ExecutionRun read(String text) {
    return ExecutionRun.read(ConfigPaths.staged(ConfigFiles.parse("run", text)), _ -> {});
  }
}
