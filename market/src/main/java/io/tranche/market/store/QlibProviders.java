package io.tranche.market.store;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The stores and feature files that a Qlib RL config names. Qlib: `init_qlib`.
///
/// @param roots the folder of each bar width that is configured
/// @param featureRoot the folder of handler pickles or native features, null if not configured
/// @param featureColumnsToday names with dollar signs, empty if not configured
/// @param featureColumnsYesterday names with dollar signs, empty if not configured
public record QlibProviders(
    Map<Frequency, Path> roots,
    @Nullable Path featureRoot,
    List<String> featureColumnsToday,
    List<String> featureColumnsYesterday) {

  private static final String PROVIDER = "provider_uri_";

  public QlibProviders {
    roots = Map.copyOf(roots);
    featureColumnsToday = List.copyOf(featureColumnsToday);
    featureColumnsYesterday = List.copyOf(featureColumnsYesterday);
  }

  /// Reads the keys that `init_qlib` reads; the caller handles the others.
  ///
  /// @param where the dotted path of `config` in its file, for messages
  /// @param base what relative paths are relative to
  /// @throws ConfigException if a value is not what its key needs
  public static QlibProviders of(String where, Map<String, ?> config, Path base) {
    var roots = new LinkedHashMap<Frequency, Path>();
    for (String frequency : List.of("1min", "5min", "day")) {
      Path root = path(where, config, PROVIDER + frequency, base);
      if (root != null) {
        roots.put(Frequency.parse(frequency), root);
      }
    }
    return new QlibProviders(
        roots,
        path(where, config, "feature_root_dir", base),
        names(where, config, "feature_columns_today"),
        names(where, config, "feature_columns_yesterday"));
  }

  /// Opens the store of `frequency`.
  ///
  /// @throws ConfigException if no folder is configured for it
  /// @throws io.tranche.market.DataException if the folder is not such a store
  public QlibStore store(Frequency frequency) {
    Path root = roots.get(frequency);
    if (root == null) {
      throw new ConfigException(
          PROVIDER + frequency,
          "the folder of the %s bars".formatted(frequency),
          roots.isEmpty()
              ? "not set"
              : "not set, only "
                  + roots.keySet().stream().sorted().map(known -> PROVIDER + known).toList());
    }
    return QlibStore.open(root, frequency);
  }

  private static @Nullable Path path(String where, Map<String, ?> config, String key, Path base) {
    Object value = config.get(key);
    if (value == null || value instanceof Path) {
      return value == null ? null : base.resolve((Path) value).normalize();
    }
    if (value instanceof String text && !text.isBlank()) {
      try {
        return base.resolve(home(text)).normalize();
      } catch (InvalidPathException _) {
        // Falls through to the message below.
      }
    }
    throw new ConfigException(where + "." + key, "a folder", "'" + value + "'");
  }

  /// Qlib expands a leading tilde.
  private static String home(String text) {
    return text.equals("~") || text.startsWith("~/")
        ? System.getProperty("user.home") + text.substring(1)
        : text;
  }

  private static List<String> names(String where, Map<String, ?> config, String key) {
    Object value = config.get(key);
    var names = new ArrayList<String>();
    if (value instanceof List<?> list) {
      for (Object element : list) {
        if (!(element instanceof String name)) {
          throw new ConfigException(where + "." + key, "names of columns", element);
        }
        names.add(name);
      }
    } else if (value != null) {
      throw new ConfigException(where + "." + key, "a list of columns", value);
    }
    return names;
  }
}
