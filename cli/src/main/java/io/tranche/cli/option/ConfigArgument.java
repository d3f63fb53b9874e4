package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Qlib's spelling of the argument that names a configuration.
public final class ConfigArgument {

  @Option(
      names = {"--config-path", "--config_path"},
      paramLabel = "CONFIG",
      description = "The same as CONFIG, as Qlib spells it.")
  private @Nullable Path option;

  /// @param given the argument without an option; null if there is none
  /// @throws ConfigException if there is none, or both
  public Path or(@Nullable Path given) {
    if (option != null && given != null) {
      throw new ConfigException("--config_path", "one configuration", given + " and " + option);
    }
    if (option != null) {
      return option;
    }
    if (given == null) {
      throw new ConfigException("CONFIG", "a configuration", "missing");
    }
    return given;
  }
}
