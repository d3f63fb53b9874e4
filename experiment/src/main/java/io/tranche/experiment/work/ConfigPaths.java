package io.tranche.experiment.work;

import io.tranche.config.ConfigNode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/// Paths in configurations that go to other processes, whose folder is another one.
public final class ConfigPaths {

  private static final Set<String> NEVER = Set.of("class", "module_path");

  private ConfigPaths() {}

  /// Returns a configuration in which everything that is a file or folder here is named from the
  /// root.
  public static ConfigNode absolute(ConfigNode config) {
    return config.withTexts((key, text) -> NEVER.contains(key) ? text : absolute(text));
  }

  private static String absolute(String text) {
    try {
      Path path =
          text.startsWith("~/")
              ? Path.of(System.getProperty("user.home"), text.substring(2))
              : Path.of(text);
      return text.isBlank() || path.isAbsolute() && !text.startsWith("~/") || !Files.exists(path)
          ? text
          : path.toAbsolutePath().normalize().toString();
    } catch (InvalidPathException _) {
      return text;
    }
  }
}
