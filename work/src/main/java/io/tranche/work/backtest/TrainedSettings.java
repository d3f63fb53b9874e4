package io.tranche.work.backtest;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.Teacher;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Compares the settings a checkpoint was trained with to those of a backtest.
///
/// A network accepts any numbers of the right shape, so columns in another order, or actions with
/// another meaning, would go unnoticed. Only our own checkpoints hold their configuration. For a
/// `.pth` only shapes can be checked, which loading does.
final class TrainedSettings {

  private static final List<String> PARTS =
      List.of("state_interpreter", "action_interpreter", "network");

  /// Paths and names of Python modules change no result.
  private static final Pattern ASIDE =
      Pattern.compile(".*\\.(module_path|data_dir|backtest|backtest_dir|path|cached_days)");

  /// The defaults of Qlib's network.
  private static final Map<String, String> RECURRENT =
      Map.of("hidden_dim", "64", "output_dim", "32", "rnn_type", "gru", "rnn_num_layers", "1");

  private TrainedSettings() {}

  /// Compares every strategy that names a checkpoint of ours.
  ///
  /// @throws ConfigException naming all differences, if there are any
  static void check(ConfigNode strategies) {
    for (String level : strategies.keys()) {
      ConfigNode strategy = strategies.required(level);
      ConfigNode settings = strategy.isMapping() ? strategy.optional("kwargs") : null;
      String file = settings == null ? null : weightFile(settings);
      if (settings != null && file != null && file.endsWith(CheckpointFile.SUFFIX)) {
        Teacher.requireNone(settings.where(), Path.of(file));
        String text = CheckpointFile.read(Path.of(file)).config();
        compare(settings, ConfigFiles.parse(file + ": config.yml", text), file);
      }
    }
  }

  /// Returns the weight files that strategies name.
  static List<String> weightFiles(ConfigNode strategies) {
    var files = new ArrayList<String>();
    for (String level : strategies.keys()) {
      ConfigNode strategy = strategies.required(level);
      ConfigNode settings = strategy.isMapping() ? strategy.optional("kwargs") : null;
      String file = settings == null ? null : weightFile(settings);
      if (file != null) {
        files.add(file);
      }
    }
    return files;
  }

  /// Returns the weight file that a strategy names, or null.
  private static @Nullable String weightFile(ConfigNode settings) {
    ConfigNode policy = settings.optional("policy");
    ConfigNode kwargs = policy == null || !policy.isMapping() ? null : policy.optional("kwargs");
    ConfigNode file = kwargs == null ? null : kwargs.optional("weight_file");
    return file == null ? null : file.asText();
  }

  static void compare(ConfigNode settings, ConfigNode trained, String file) {
    // Our own dialect leaves out what follows from the data, so only written settings are compared.
    boolean isWhole = !trained.has("tranche");
    var differences = new ArrayList<String>();
    for (String part : PARTS) {
      SortedMap<String, String> theirs = leaves(trained, part);
      SortedMap<String, String> ours = leaves(settings, part);
      var keys = new TreeSet<>(theirs.keySet());
      if (isWhole) {
        keys.addAll(ours.keySet());
      }
      for (String key : keys) {
        String was = ours.getOrDefault(key, "nothing");
        String expected = theirs.getOrDefault(key, "nothing");
        if (!Objects.equals(was, expected)) {
          differences.add("%s: trained with %s, here %s".formatted(key, expected, was));
        }
      }
    }
    if (!differences.isEmpty()) {
      throw new ConfigException(
          settings.where(),
          "what %s was trained with".formatted(file),
          "something else (%s)".formatted(String.join("; ", differences)));
    }
  }

  /// Returns every value below `part` by its path, except those that change no result.
  private static SortedMap<String, String> leaves(ConfigNode config, String part) {
    var leaves = new TreeMap<String, String>();
    ConfigNode node = config.optional(part);
    if (node != null) {
      collect(node, part, leaves);
      if (Objects.equals(leaves.get(part + ".class"), "Recurrent")) {
        RECURRENT.forEach((key, value) -> leaves.putIfAbsent(part + ".kwargs." + key, value));
      }
    }
    return leaves;
  }

  private static void collect(ConfigNode node, String path, Map<String, String> leaves) {
    if (ASIDE.matcher(path).matches() || node.isNull()) {
      return;
    }
    if (node.isMapping()) {
      node.keys().forEach(key -> collect(node.required(key), path + "." + key, leaves));
    } else if (node.isList()) {
      leaves.put(path, node.asList().stream().map(TrainedSettings::text).toList().toString());
    } else {
      leaves.put(path, text(node));
    }
  }

  private static String text(ConfigNode node) {
    return node.isMapping() || node.isList()
        ? node.toYaml().strip()
        : String.valueOf(node.scalar());
  }
}
