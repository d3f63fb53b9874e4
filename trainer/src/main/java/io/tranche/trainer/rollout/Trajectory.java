package io.tranche.trainer.rollout;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The actions of an episode, and enough to check that a replay has the same result.
///
/// @param actions in the order of the steps, including that of a step that failed
/// @param rewards what [#fold] makes of all rewards, beginning with [#NO_REWARDS]
/// @param failure what the step after the last action threw, or the beginning if there is no
///   action; null if the episode ended normally
public record Trajectory(List<Action> actions, long rewards, @Nullable String failure) {

  /// Before the first reward.
  public static final long NO_REWARDS = 0;

  public Trajectory {
    actions = List.copyOf(actions);
  }

  /// Returns a hash of the rewards so far and the next one: equal only for equal bits.
  public static long fold(long rewards, double reward) {
    return RandomTree.child(rewards, Double.doubleToRawLongBits(reward));
  }
}
