package io.tranche.trainer.rollout;

import io.tranche.env.Policy;
import java.util.List;

/// Plays episodes ahead of a trainer, on other machines for instance, so that the trainer need not
/// ask its policy: it plays them again by what was decided.
///
/// @param <I> what an episode begins with
@FunctionalInterface
public interface Rollouts<I> {

  /// Plays an episode from each of `states` by the weights as they are now.
  ///
  /// @param drawRoot where the draws come from: those of a decision from
  ///   [io.tranche.env.vector.Collector#drawKey] of it, the episode and the step
  /// @param first the number of the first episode; those of the others follow
  /// @return one for each of `states`, in their order
  List<Trajectory> play(Policy.Mode mode, long drawRoot, long first, List<I> states);
}
