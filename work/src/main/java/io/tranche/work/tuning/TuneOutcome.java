package io.tranche.work.tuning;

import java.nio.file.Path;
import java.util.List;

/// The outcome of a search.
///
/// @param isComplete whether it reached its end; if not, the same command continues it
/// @param leaderboard of all trials so far
/// @param skipped the orders that trials left out, one line for each
public record TuneOutcome(
    boolean isComplete, Leaderboard leaderboard, List<String> skipped, Path folder) {

  public TuneOutcome {
    skipped = List.copyOf(skipped);
  }

  /// Returns the run directory of a trial.
  public Path trial(int number) {
    return new TuneDirectory(folder).trial(number).folder();
  }
}
