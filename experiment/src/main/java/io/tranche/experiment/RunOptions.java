package io.tranche.experiment;

import io.tranche.experiment.work.Workplace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What is said about a run outside its configuration.
///
/// @param folder the run directory
/// @param threads how many work; null for what the configuration says; changes no result
/// @param fastDevRun how many orders each stage is reduced to; null for what the configuration says
/// @param place where episodes are played before the trainer plays them again by what was decided;
///   null for nowhere else; changes no result
public record RunOptions(
    Path folder,
    @Nullable Integer threads,
    @Nullable Integer fastDevRun,
    @Nullable Workplace place) {

  /// Says what there is to say about a run in this process.
  public RunOptions(Path folder, @Nullable Integer threads, @Nullable Integer fastDevRun) {
    this(folder, threads, fastDevRun, null);
  }

  public RunOptions at(@Nullable Workplace other) {
    return new RunOptions(folder, threads, fastDevRun, other);
  }

  /// Returns a run that is as its configuration says.
  public static RunOptions in(Path folder) {
    return new RunOptions(folder, null, null);
  }
}
