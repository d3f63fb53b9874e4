package io.tranche.work.tuning;

import java.nio.file.Path;

/// The outcome of a search.
///
/// @param isComplete whether it reached its end; if not, the same command continues it
/// @param leaderboard of all trials so far
public record TuneOutcome(boolean isComplete, Leaderboard leaderboard, Path folder) {

  /// Returns the run directory of a trial.
  public Path trial(int number) {
    return new TuneDirectory(folder).trial(number).folder();
  }
}
