package io.tranche.trainer;

import io.tranche.env.Observation;
import io.tranche.env.vector.CollectResult;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;

/// A stage under way, as [Stages] see it. Valid during the call.
///
/// @param <O> the observation
public interface StageRun<O extends Observation> {

  /// Returns the trainer, which knows the stage, the iteration and the metrics so far.
  Trainer trainer();

  Algorithm<O> algorithm();

  /// Returns the experience collected so far.
  ReplayBuffer<O> experience();

  /// Plays the stage's episodes: in training as many as an iteration has, otherwise each once.
  CollectResult collect();

  /// Plays `episodes` more episodes of the training data.
  ///
  /// @throws IllegalStateException in another stage, whose data are played once
  CollectResult collect(int episodes);

  /// Learns from the experience with the settings of the vessel.
  UpdateReport update();

  /// Learns from the experience. The results are logged, those of a later update in the same
  /// iteration instead of earlier ones.
  ///
  /// @throws IllegalStateException unless the stage is training
  UpdateReport update(UpdateSettings settings);

  /// Adds a number to the metrics of this iteration.
  default void log(String name, double value) {
    trainer().log(name, value);
  }
}
