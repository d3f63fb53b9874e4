package io.tranche.trainer;

import io.tranche.env.EpisodeFailure;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Receives the progress of a run, for a progress bar. Called on the trainer's thread, after every
/// episode.
public interface TrainingProgress {

  /// Ignores everything.
  TrainingProgress NONE = _ -> {};

  /// What is being done.
  enum Phase {
    COLLECT,
    UPDATE,
    VALIDATE,
    TEST
  }

  /// How far the run is.
  ///
  /// @param iteration which iteration, from 1 on
  /// @param maxIterations how many there will be at most, or null if that is not known
  /// @param episodes how many the phase has finished
  /// @param totalEpisodes how many it will have
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

  /// A number was logged that no episode has, such as the mean loss of an update.
  default void logged(String name, double value) {}

  /// An episode ended in an exception and was put aside.
  default void failed(EpisodeFailure failure) {}

  /// Something the user should know, in a sentence.
  default void message(String text) {}
}
