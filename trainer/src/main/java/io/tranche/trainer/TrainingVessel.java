package io.tranche.trainer;

import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.policy.learn.Algorithm;
import io.tranche.trainer.rollout.Rollouts;
import org.jspecify.annotations.Nullable;

/// What a trainer trains: a problem, what learns it, and the data of each stage. Qlib:
/// `qlib.rl.trainer.TrainingVessel`.
///
/// @param training null if there is nothing to train with; the same of the others
/// @param rollouts plays the episodes of every stage before the trainer does; null if nobody does;
///   changes no result
/// @param <I> what an episode begins with
/// @param <O> the observation
public record TrainingVessel<I, O extends Observation>(
    Problem<I, ?, ?, O> problem,
    Algorithm<O> algorithm,
    @Nullable InitialStates<I> training,
    @Nullable InitialStates<I> validation,
    @Nullable InitialStates<I> test,
    VesselConfig config,
    @Nullable Rollouts<I> rollouts) {

  /// Makes a vessel whose episodes are all played by the trainer.
  public TrainingVessel(
      Problem<I, ?, ?, O> problem,
      Algorithm<O> algorithm,
      @Nullable InitialStates<I> training,
      @Nullable InitialStates<I> validation,
      @Nullable InitialStates<I> test,
      VesselConfig config) {
    this(problem, algorithm, training, validation, test, config, null);
  }

  public TrainingVessel<I, O> with(@Nullable Rollouts<I> others) {
    return new TrainingVessel<>(problem, algorithm, training, validation, test, config, others);
  }
}
