package io.tranche.work.tuning;

import java.nio.file.Path;

/// How a search ended.
///
/// @param isComplete whether it came to its end; if not, the same command goes on
/// @param leaderboard the trials as far as they came
public record TuneOutcome(boolean isComplete, Leaderboard leaderboard, Path folder) {

  /// Returns the run directory of a trial.
  public Path trial(int number) {
    return new TuneDirectory(folder).trial(number).folder();
  }
}
