package io.tranche.work.backtest;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import io.tranche.run.Part;
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

/// Compares the parts of a backtest's policy with those of the run it was trained in.
///
/// A network accepts any numbers of the right shape, so columns in another order, or actions with
/// another meaning, would go unnoticed. Only our own checkpoints hold their configuration. For a
/// `.pth` only shapes can be checked, which loading does.
final class TrainedSettings {

  /// Paths and names of Python modules change no result.
  private static final Pattern ASIDE =
      Pattern.compile(".*\\.(module_path|data_dir|backtest|backtest_dir|path|cached_days)");

  /// The defaults of Qlib's network.
  private static final Map<String, String> RECURRENT =
      Map.of("hidden_dim", "64", "output_dim", "32", "rnn_type", "gru", "rnn_num_layers", "1");

  private final ExecutionRun trained;
  private final List<String> differences = new ArrayList<>();

  private TrainedSettings(ExecutionRun trained) {
    this.trained = trained;
  }

  /// Compares every strategy that names a checkpoint of ours.
  ///
  /// @throws ConfigException naming all differences, if there are any
  static void check(List<PolicyLevel> policies) {
    for (PolicyLevel each : policies) {
      String file = each.weightFile();
      if (file != null && file.endsWith(CheckpointFile.SUFFIX)) {
        Teacher.requireNone(each.where(), Path.of(file));
        ExecutionRun trained = ExecutionRun.ofCheckpoint(Path.of(file));
        if (trained != null) {
          compare(each, trained, file);
        }
      }
    }
  }

  static void compare(PolicyLevel here, ExecutionRun trained, String file) {
    var settings = new TrainedSettings(trained);
    settings.add(
        "state_interpreter", trained.problem().stateInterpreter(), here.stateInterpreter());
    settings.add(
        "action_interpreter", trained.problem().actionInterpreter(), here.actionInterpreter());
    settings.add("network", trained.agent().network(), here.network());
    if (!settings.differences.isEmpty()) {
      throw new ConfigException(
          here.where(),
          "what %s was trained with".formatted(file),
          "something else (%s)".formatted(String.join("; ", settings.differences)));
    }
  }

  private void add(String name, @Nullable Part<?> trainedPart, @Nullable Part<?> part) {
    SortedMap<String, String> theirs = leaves(name, trainedPart);
    SortedMap<String, String> ours = leaves(name, part);
    var keys = new TreeSet<>(theirs.keySet());
    // Our own dialect leaves out what follows from the data, so only written settings are compared.
    if (trained.isQlib()) {
      keys.addAll(ours.keySet());
    }
    for (String key : keys) {
      String was = ours.getOrDefault(key, "nothing");
      String expected = theirs.getOrDefault(key, "nothing");
      if (!was.equals(expected)) {
        differences.add("%s: trained with %s, here %s".formatted(key, expected, was));
      }
    }
  }

  /// Returns every setting of `part` by its path, except those that change no result.
  private static SortedMap<String, String> leaves(String name, @Nullable Part<?> part) {
    var leaves = new TreeMap<String, String>();
    if (part != null) {
      collect(part.describe(), name, leaves);
      if (Objects.equals(leaves.get(name + ".class"), "Recurrent")) {
        RECURRENT.forEach((key, value) -> leaves.putIfAbsent(name + ".kwargs." + key, value));
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
    return node.isMapping() || node.isList() ? node.toLine() : String.valueOf(node.scalar());
  }
}
