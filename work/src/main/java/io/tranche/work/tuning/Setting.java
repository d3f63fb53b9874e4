package io.tranche.work.tuning;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.util.stream.Collectors;

/// A value with which a trial replaces the configuration's.
///
/// @param path dotted, as `--set` takes it
/// @param value as YAML on one line
public record Setting(String path, String value) {

  static Setting of(String path, ConfigNode value) {
    return new Setting(path, flow(value));
  }

  /// Returns what `--set` takes.
  String assignment() {
    return path + "=" + value;
  }

  private static String flow(ConfigNode node) {
    if (node.isMapping()) {
      return node.keys().stream()
          .map(key -> scalar(ConfigFiles.of("key", key)) + ": " + flow(node.required(key)))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (node.isList()) {
      return node.asList().stream().map(Setting::flow).collect(Collectors.joining(", ", "[", "]"));
    }
    return scalar(node);
  }

  private static String scalar(ConfigNode node) {
    return node.toYaml().strip();
  }
}
