package io.tranche.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Settings of a backend besides its address.
///
/// @param threads number of threads, for work in this process
/// @param plugins jars that jobs need besides our own
/// @param options of the cluster's engine, passed on unchanged
/// @param messages receives lines for the user
public record BackendSettings(
    int threads, List<Path> plugins, Map<String, String> options, Consumer<String> messages) {

  public BackendSettings {
    plugins = List.copyOf(plugins);
    options = Map.copyOf(options);
  }

  /// Returns settings for work in this process.
  public static BackendSettings ofThreads(int threads) {
    return new BackendSettings(threads, List.of(), Map.of(), _ -> {});
  }
}
