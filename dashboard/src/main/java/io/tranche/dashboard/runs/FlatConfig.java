package io.tranche.dashboard.runs;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.Sha256;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A configuration as texts by dotted paths.
///
/// @param values in the order of the file
public record FlatConfig(Map<String, String> values) {

  private static final String SEED = "runtime.seed";

  /// They say where a run is, not what it is.
  private static final Set<String> PLACES = Set.of(SEED, "trainer.checkpoint_path", "trainer.out");

  private static final int DEEPEST = 32;

  public FlatConfig {
    values = new LinkedHashMap<>(values);
  }

  /// @throws ConfigException if the file cannot be read
  public static FlatConfig read(Path file) {
    var values = new LinkedHashMap<String, String>();
    flatten("", ConfigFiles.load(file), values, 0);
    return new FlatConfig(values);
  }

  private static void flatten(
      String path, ConfigNode node, Map<String, String> values, int depth) {
    if (depth < DEEPEST && node.isMapping() && !node.keys().isEmpty()) {
      for (String key : node.keys()) {
        flatten(path.isEmpty() ? key : path + "." + key, node.required(key), values, depth + 1);
      }
    } else if (depth < DEEPEST && node.isList() && !node.asList().isEmpty()) {
      List<ConfigNode> items = node.asList();
      for (int i = 0; i < items.size(); i++) {
        flatten("%s[%d]".formatted(path, i), items.get(i), values, depth + 1);
      }
    } else {
      values.put(path, node.isNull() ? "null" : node.toLine());
    }
  }

  @Nullable Long seed() {
    return whole(SEED);
  }

  /// Returns how many iterations are planned, in either dialect.
  @Nullable Integer planned() {
    Long stated = whole("trainer.max_iterations");
    Long found = stated == null ? whole("trainer.max_epoch") : stated;
    return found == null || found > Integer.MAX_VALUE ? null : (Integer) found.intValue();
  }

  private @Nullable Long whole(String path) {
    String text = values.get(path);
    return text == null || !text.matches("-?[0-9]{1,18}") ? null : (Long) Long.parseLong(text);
  }

  /// Returns a text that runs share which differ only in seed and place.
  String group() {
    var hash = new Sha256();
    new TreeMap<>(values)
        .forEach(
            (path, value) -> {
              if (!PLACES.contains(path)) {
                hash.add(path + "=" + value + "\n");
              }
            });
    return hash.hex().substring(0, 16);
  }

  /// A setting that is not the same everywhere.
  ///
  /// @param values one per configuration; null where it is not set
  public record Setting(String path, List<@Nullable String> values) {}

  /// Returns the settings in which configurations differ.
  public static List<Setting> differences(List<FlatConfig> configs) {
    var paths = new LinkedHashSet<String>();
    configs.forEach(each -> paths.addAll(each.values.keySet()));
    var found = new ArrayList<Setting>();
    for (String path : paths) {
      var values = new ArrayList<@Nullable String>();
      configs.forEach(each -> values.add(each.values.get(path)));
      if (values.stream().distinct().count() > 1) {
        found.add(new Setting(path, values));
      }
    }
    return found;
  }
}
