package io.tranche.experiment;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is said about a run outside its configuration.
///
/// @param folder the run directory
/// @param threads how many work; null for what the configuration says; changes no result
/// @param fastDevRun how many orders each stage is reduced to; null for what the configuration says
/// @param classPath where child processes find components of the user's own
public record RunOptions(
    Path folder, @Nullable Integer threads, @Nullable Integer fastDevRun, List<Path> classPath) {

  public RunOptions {
    classPath = List.copyOf(classPath);
  }

  /// Returns a run that is as its configuration says.
  public static RunOptions in(Path folder) {
    return new RunOptions(folder, null, null, List.of());
  }
}
