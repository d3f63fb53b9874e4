package io.tranche.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// What whoever asks for a workplace says besides its address.
///
/// @param threads how many work in this process, where it is the workplace
/// @param plugins jars that the work needs besides our own
/// @param options those of the cluster's engine, passed on as they are
/// @param messages hears, in one line each, what a user would want to know
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
