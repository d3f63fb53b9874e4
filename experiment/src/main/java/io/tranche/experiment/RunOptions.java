package io.tranche.experiment;

import io.tranche.experiment.work.Workplace;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is said about a run outside its configuration.
///
/// @param folder the run directory
/// @param threads how many work; null for what the configuration says; changes no result
/// @param fastDevRun how many orders each stage is reduced to; null for what the configuration says
/// @param classPath where child processes find components of the user's own
/// @param place where episodes are played before the trainer plays them again by what was decided;
///   null for nowhere else; changes no result
public record RunOptions(
    Path folder,
    @Nullable Integer threads,
    @Nullable Integer fastDevRun,
    List<Path> classPath,
    @Nullable Workplace place) {

  public RunOptions {
    classPath = List.copyOf(classPath);
  }

  /// Says what there is to say about a run in this process.
  public RunOptions(
      Path folder, @Nullable Integer threads, @Nullable Integer fastDevRun, List<Path> classPath) {
    this(folder, threads, fastDevRun, classPath, null);
  }

  public RunOptions at(@Nullable Workplace other) {
    return new RunOptions(folder, threads, fastDevRun, classPath, other);
  }

  /// Returns a run that is as its configuration says.
  public static RunOptions in(Path folder) {
    return new RunOptions(folder, null, null, List.of());
  }
}
