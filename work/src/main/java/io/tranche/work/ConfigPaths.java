package io.tranche.work;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Paths in configurations for other processes, which have another working directory.
public final class ConfigPaths {

  /// Web addresses do not count: no file system of a cluster serves them.
  private static final Pattern ADDRESS = Pattern.compile("(?!https?:)[a-z][a-z0-9+.-]*://\\S.*");

  private static final Set<String> NEVER = Set.of("class", "module_path");

  /// The address of each copy, by the path of the copy.
  private static final Map<String, String> COPIES = new ConcurrentHashMap<>();

  private ConfigPaths() {}

  /// Returns a configuration for another process: files and folders that exist here get absolute
  /// paths, and copies get the address of their original.
  public static ConfigNode absolute(ConfigNode config) {
    return config.withTexts((key, text) -> NEVER.contains(key) ? text : absolute(text));
  }

  /// Returns a configuration in which every address of another file system is replaced by the path
  /// of a local copy.
  ///
  /// @throws ConfigException if nothing is installed that reads it
  /// @throws io.tranche.market.DataException if there is nothing at the address, or it is
  ///   unreadable
  public static ConfigNode staged(ConfigNode config) {
    return config.withTexts(
        (_, text) -> ADDRESS.matcher(text).matches() ? staged(text).toString() : text);
  }

  /// As [#staged(ConfigNode)], for one path or address.
  public static Path staged(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      return Path.of(text);
    }
    Path copy =
        ServiceLoader.load(RemoteFiles.class)
            .findFirst()
            .orElseThrow(
                () -> new ConfigException("--on", "a cluster, whose jars read such files", text))
            .stage(text);
    COPIES.put(copy.toString(), text);
    return copy;
  }

  /// As [#absolute(ConfigNode)], for one path. Any other text is returned as it is.
  public static String absolute(String text) {
    for (var copy : COPIES.entrySet()) {
      if (text.equals(copy.getKey()) || text.startsWith(copy.getKey() + File.separator)) {
        return copy.getValue() + text.substring(copy.getKey().length());
      }
    }
    boolean isHome = text.startsWith("~/");
    try {
      Path path =
          isHome ? Path.of(System.getProperty("user.home"), text.substring(2)) : Path.of(text);
      boolean isNamed = !text.isBlank() && (isHome || !path.isAbsolute());
      return isNamed && Files.exists(path) ? path.toAbsolutePath().normalize().toString() : text;
    } catch (InvalidPathException _) {
      return text;
    }
  }
}
