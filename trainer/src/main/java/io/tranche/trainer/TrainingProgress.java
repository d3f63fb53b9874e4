package io.tranche.trainer;

import io.tranche.env.EpisodeFailure;
import org.jspecify.annotations.Nullable;

/// What hears how a run goes while it goes: what a progress bar is drawn from. Called on the
/// trainer's thread, after every episode.
public interface TrainingProgress {

  /// Hears nothing.
  TrainingProgress NONE = _ -> {};

  /// What is being done.
  enum Phase {
    COLLECT,
    UPDATE,
    VALIDATE,
    TEST
  }

  /// How far it is.
  ///
  /// @param iteration which iteration, from 1 on
  /// @param maxIterations how many there will be at most, or null if that is not known
  /// @param episodes how many the phase has finished
  /// @param totalEpisodes how many it will have
  /// @param episodesPerSecond since the phase began; NaN at its beginning
  /// @param reward the mean over the phase so far; NaN before the first episode
  /// @param advantageBps the same of the metric `pa`; NaN where there is none
  /// @param fillRate the same of the metric `ffr`; NaN where there is none
  record Moment(
      long iteration,
      @Nullable Integer maxIterations,
      Phase phase,
      long episodes,
      long totalEpisodes,
      double episodesPerSecond,
      double reward,
      double advantageBps,
      double fillRate) {}

  void on(Moment moment);

  /// A number was logged that no episode has, such as the mean loss of an update.
  default void logged(String name, double value) {}

  /// An episode ended in an exception and was put aside.
  default void failed(EpisodeFailure failure) {}

  /// Something the user should know, in a sentence.
  default void message(String text) {}
}
