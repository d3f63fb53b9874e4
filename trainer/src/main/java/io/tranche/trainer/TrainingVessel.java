package io.tranche.trainer;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.policy.agent.RuleAgent;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Untrained;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.rollout.Rollouts;
import org.jspecify.annotations.Nullable;

/// The input of a trainer: a problem, the algorithm that learns it, and the data of each stage.
/// Qlib: `qlib.rl.trainer.TrainingVessel`.
///
/// @param training null if there is no data for this stage; likewise for the others
/// @param rollouts plays the episodes of every stage elsewhere before the trainer replays them;
///   null if the trainer plays them alone; changes no result
/// @param stages what is done in each stage
/// @param <I> what an episode begins with
/// @param <O> the observation
public record TrainingVessel<I, O extends Observation>(
    Problem<I, ?, ?, O> problem,
    Algorithm<O> algorithm,
    @Nullable InitialStates<I> training,
    @Nullable InitialStates<I> validation,
    @Nullable InitialStates<I> test,
    VesselConfig config,
    @Nullable Rollouts<I> rollouts,
    Stages<O> stages) {

  /// Makes a vessel whose episodes the trainer plays alone.
  public TrainingVessel(
      Problem<I, ?, ?, O> problem,
      Algorithm<O> algorithm,
      @Nullable InitialStates<I> training,
      @Nullable InitialStates<I> validation,
      @Nullable InitialStates<I> test,
      VesselConfig config) {
    this(problem, algorithm, training, validation, test, config, null, Stages.usual());
  }

  /// Returns a vessel for [Trainer#test] with a policy that does not learn.
  public static <I, O extends Observation> TrainingVessel<I, O> ofPolicy(
      Problem<I, ?, ?, O> problem, Policy<O> policy, InitialStates<I> states) {
    var nothing = new VesselConfig(1, 1, new UpdateSettings(0, 1, Batching.EPISODES));
    return new TrainingVessel<>(
        problem, new Untrained<>(new RuleAgent<>(policy)), null, null, states, nothing);
  }

  public TrainingVessel<I, O> with(@Nullable Rollouts<I> others) {
    return new TrainingVessel<>(
        problem, algorithm, training, validation, test, config, others, stages);
  }

  public TrainingVessel<I, O> with(Stages<O> others) {
    return new TrainingVessel<>(
        problem, algorithm, training, validation, test, config, rollouts, others);
  }
}
