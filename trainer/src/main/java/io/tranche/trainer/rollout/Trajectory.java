package io.tranche.trainer.rollout;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was decided in an episode, and enough to tell whether another one went the same way.
///
/// @param actions in the order of the steps, that of a step which failed included
/// @param rewards what [#fold] makes of all rewards, beginning with [#NO_REWARDS]
/// @param failure what the step after the last action threw, or the beginning if there is no
///   action; null if the episode ended as it should
public record Trajectory(List<Action> actions, long rewards, @Nullable String failure) {

  /// Before the first reward.
  public static final long NO_REWARDS = 0;

  public Trajectory {
    actions = List.copyOf(actions);
  }

  /// Returns a hash of the rewards so far and the next one: the same for the same bits alone.
  public static long fold(long rewards, double reward) {
    return RandomTree.child(rewards, Double.doubleToRawLongBits(reward));
  }
}
