package io.tranche.env.walk;

import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.env.walk.TargetWalk.Seen;
import java.util.List;

/// Policies for the walk.
public final class Walkers {

  private Walkers() {}

  /// Goes straight to the target.
  public static final Policy<Seen> BEST =
      (observations, _, _) ->
          observations.stream()
              .map(
                  seen ->
                      (Action)
                          new Action.Discrete(Integer.signum(seen.target() - seen.position()) + 1))
              .toArray(Action[]::new);

  /// Takes random steps, which depend only on the draw keys.
  public static final Policy<Seen> DRUNK = Walkers::stagger;

  private static Action[] stagger(List<Seen> observations, long[] keys, Policy.Mode mode) {
    var actions = new Action[observations.size()];
    for (int row = 0; row < actions.length; row++) {
      actions[row] = new Action.Discrete(RandomTree.generator(keys[row]).nextInt(3));
    }
    return actions;
  }
}
