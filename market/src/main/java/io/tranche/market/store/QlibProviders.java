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
/// @param region whose clock the calendars of steps follow
/// @param featureRoot the folder of handler pickles or native features, null if not configured
/// @param featureColumnsToday names with dollar signs, empty if not configured
/// @param featureColumnsYesterday names with dollar signs, empty if not configured
public record QlibProviders(
    Map<Frequency, Path> roots,
    QlibRegion region,
    @Nullable Path featureRoot,
    List<String> featureColumnsToday,
    List<String> featureColumnsYesterday) {

  /// The key of a mapping from bar widths to folders, or of one folder for all that it has. With an
  /// underscore and a bar width it is the key of one folder.
  private static final String PROVIDER = "provider_uri";

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
    for (String key : config.keySet()) {
      if (key.startsWith(PROVIDER + "_")) {
        add(roots, where + "." + key, key.substring(PROVIDER.length() + 1), config.get(key), base);
      }
    }
    String all = where + "." + PROVIDER;
    if (config.get(PROVIDER) instanceof Map<?, ?> folders) {
      folders.forEach(
          (width, folder) -> add(roots, all + "." + width, String.valueOf(width), folder, base));
    } else {
      Path root = path(all, config.get(PROVIDER), base);
      if (root != null) {
        QlibStore.frequencies(root).forEach(width -> roots.putIfAbsent(width, root));
      }
    }
    return new QlibProviders(
        roots,
        region(where, config.get("region")),
        path(where + ".feature_root_dir", config.get("feature_root_dir"), base),
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
          PROVIDER + "_" + frequency,
          "the folder of the %s bars".formatted(frequency),
          roots.isEmpty() ? "not set" : "not set, only " + keys());
    }
    return QlibStore.open(root, frequency).in(region);
  }

  /// Returns the keys of the folders that are configured, by bar width.
  public List<String> keys() {
    return roots.keySet().stream().sorted().map(width -> PROVIDER + "_" + width).toList();
  }

  private static QlibRegion region(String where, @Nullable Object value) {
    if (value == null) {
      return QlibRegion.CN;
    }
    if (value instanceof String name && QlibRegion.names().contains(name)) {
      return QlibRegion.named(name);
    }
    throw new ConfigException(where + ".region", "one of " + QlibRegion.names(), "'" + value + "'");
  }

  private static void add(
      Map<Frequency, Path> roots, String where, String width, @Nullable Object value, Path base) {
    Path root = path(where, value, base);
    if (root == null) {
      return;
    }
    Frequency frequency;
    try {
      frequency = Frequency.parse(width);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ConfigException(where, "a bar width such as 15min or day", "'" + width + "'");
    }
    Path other = roots.put(frequency, root);
    if (other != null && !other.equals(root)) {
      throw new ConfigException(where, "one folder of %s bars".formatted(frequency), "a second");
    }
  }

  private static @Nullable Path path(String where, @Nullable Object value, Path base) {
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
    throw new ConfigException(where, "a folder", "'" + value + "'");
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
