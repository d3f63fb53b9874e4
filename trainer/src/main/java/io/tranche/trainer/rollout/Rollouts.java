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
  /// @param drawRoot root key of the draws: those of a decision use
  ///   [io.tranche.env.vector.Collector#drawKey] of this root, the episode and the step
  /// @param first the number of the first episode; the others are numbered consecutively
  /// @return one trajectory for each of `states`, in the same order
  List<Trajectory> play(Policy.Mode mode, long drawRoot, long first, List<I> states);
}
