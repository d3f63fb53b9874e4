package io.tranche.trainer;

import io.tranche.env.EpisodeFailure;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Receives the progress of a run, for a progress bar. Called on the trainer's thread, after every
/// episode.
public interface TrainingProgress {

  /// Ignores everything.
  TrainingProgress NONE = _ -> {};

  /// The current activity.
  enum Phase {
    COLLECT,
    UPDATE,
    VALIDATE,
    TEST
  }

  /// The progress of the run.
  ///
  /// @param iteration the current iteration, from 1
  /// @param maxIterations the maximum number of iterations, or null if unknown
  /// @param episodes number of episodes finished in this phase
  /// @param totalEpisodes number of episodes of this phase
  /// @param episodesPerSecond since the phase began; NaN at its beginning
  /// @param means the mean of each metric over the phase so far
  record Moment(
      long iteration,
      @Nullable Integer maxIterations,
      Phase phase,
      long episodes,
      long totalEpisodes,
      double episodesPerSecond,
      Map<String, Double> means) {

    /// Returns the mean of a metric; NaN before the first episode that has it.
    public double mean(String metric) {
      return means.getOrDefault(metric, Double.NaN);
    }
  }

  void on(Moment moment);

  /// A number was logged that belongs to no episode, such as the mean loss of an update.
  default void logged(String name, double value) {}

  /// An episode ended in an exception and was set aside.
  default void failed(EpisodeFailure failure) {}

  /// A sentence for the user.
  default void message(String text) {}
}
