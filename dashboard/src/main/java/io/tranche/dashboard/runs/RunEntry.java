package io.tranche.dashboard.runs;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A folder under the runs, as the list shows it.
///
/// @param id the path from the folder of all runs, with `/`
/// @param group equal for runs that differ only in their seed; empty if that is not known
/// @param planned iterations; null if it is not known
/// @param changed when its files changed last, in seconds since 1970
/// @param last the last value of each metric
/// @param overTwap of the newest report; null if there is none
/// @param problem what cannot be read, in a sentence; null if everything can
public record RunEntry(
    String id,
    Path folder,
    Kind kind,
    State state,
    String group,
    @Nullable Long seed,
    long iterations,
    @Nullable Integer planned,
    long changed,
    List<String> tags,
    Map<String, Double> last,
    @Nullable Verdict verdict,
    @Nullable Comparison overTwap,
    @Nullable String problem) {

  /// What a folder holds.
  public enum Kind {
    RUN,
    /// `tranche tune`
    SEARCH,
    /// A trial of a search.
    TRIAL,
    /// `tranche roll`
    ROLL,
    /// The run of a window of a roll.
    WINDOW
  }

  public enum State {
    /// A process of this machine works in it.
    RUNNING,
    /// It has all its iterations.
    DONE,
    /// It ended earlier.
    STOPPED,
    /// It cannot be read.
    BROKEN
  }

  public RunEntry {
    tags = List.copyOf(tags);
    last = Map.copyOf(last);
  }
}
