package io.tranche.work.tuning;

import io.tranche.config.ConfigNode;

/// A value with which a trial replaces the configuration's.
///
/// @param path dotted, as `--set` takes it
/// @param value as YAML on one line
public record Setting(String path, String value) {

  static Setting of(String path, ConfigNode value) {
    return new Setting(path, value.toLine());
  }

  /// Returns what `--set` takes.
  String assignment() {
    return path + "=" + value;
  }
}
