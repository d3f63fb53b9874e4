package io.tranche.trainer.rollout;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The actions of an episode, and enough to check that a replay has the same result.
///
/// @param actions the actions in step order, including that of a step that failed
/// @param rewards the [#fold] of all rewards, beginning with [#NO_REWARDS]
/// @param failure the exception of the last action's step, or of the episode's beginning if there
///   is no action; null if the episode ended normally
public record Trajectory(List<Action> actions, long rewards, @Nullable String failure) {

  /// The fold of no rewards.
  public static final long NO_REWARDS = 0;

  public Trajectory {
    actions = List.copyOf(actions);
  }

  /// Returns a hash of the rewards so far and the next one: equal only for equal bits.
  public static long fold(long rewards, double reward) {
    return RandomTree.child(rewards, Double.doubleToRawLongBits(reward));
  }
}
