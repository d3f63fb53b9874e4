package io.tranche.trainer;

import io.tranche.env.Observation;

/// What a trainer does in each stage of an iteration. Override a method to do something else, such
/// as to update twice, or to log what a validation found. Qlib: the methods of `TrainingVessel`.
///
/// @param <O> the observation
public interface Stages<O extends Observation> {

  /// Collects the episodes of an iteration, then learns from them.
  default void train(StageRun<O> stage) {
    stage.collect();
    stage.update();
  }

  /// Runs the policy without exploration in every episode of the validation data.
  default void validate(StageRun<O> stage) {
    stage.collect();
  }

  /// Runs the policy without exploration in every episode of the test data.
  default void test(StageRun<O> stage) {
    stage.collect();
  }

  /// The stages as they are by default.
  static <O extends Observation> Stages<O> usual() {
    return new Stages<>() {};
  }
}
