package io.tranche.trainer.rollout;

import io.tranche.env.Policy;
import java.util.List;

/// Plays episodes before the trainer does, for instance on other machines. The trainer then replays
/// the actions without asking its policy.
///
/// @param <I> what an episode begins with
@FunctionalInterface
public interface Rollouts<I> {

  /// Plays one episode from each of `states` with the current weights.
  ///
  /// @param drawRoot where the draws come from: those of a decision from
  ///   [io.tranche.env.vector.Collector#drawKey] of it, the episode and the step
  /// @param first the number of the first episode; those of the others follow
  /// @return one for each of `states`, in their order
  List<Trajectory> play(Policy.Mode mode, long drawRoot, long first, List<I> states);
}
