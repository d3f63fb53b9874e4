package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.policy.weights.PolicyWeights;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Agents of one spec, such as those of several seeds, that act together: by the mean of their
/// scores, as an exported bundle of them does. It never draws.
///
/// @param members at least one; its weights are those of the first
/// @param <O> what they see
public record AveragedAgent<O extends Observation>(List<Agent<O>> members) implements Agent<O> {

  public AveragedAgent {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("members must be at least one, was none");
    }
  }

  @Override
  public PolicyWeights weights() {
    return members.getFirst().weights();
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    var scores = new ArrayList<Scores<O>>();
    members.forEach(each -> scores.add(each.newScores(maxRows)));
    return (observations, _, _) -> act(scores, maxRows, observations);
  }

  private Action[] act(List<Scores<O>> scores, int maxRows, List<O> observations) {
    Bounds bounds =
        members.getFirst() instanceof ActorCritic<O> actor ? actor.actions().bounds() : null;
    int width = scores.getFirst().choices();
    var actions = new Action[observations.size()];
    for (int from = 0; from < actions.length; from += maxRows) {
      int to = Math.min(actions.length, from + maxRows);
      float[] sums = new float[(to - from) * width];
      for (Scores<O> each : scores) {
        float[] own = each.of(observations.subList(from, to));
        for (int i = 0; i < sums.length; i++) {
          sums[i] += own[i];
        }
      }
      for (int i = from; i < to; i++) {
        actions[i] = action(sums, (i - from) * width, width, bounds);
      }
    }
    return actions;
  }

  private Action action(float[] sums, int at, int width, @Nullable Bounds bounds) {
    if (bounds == null) {
      return new Action.Discrete(Categorical.likeliest(sums, at, width));
    }
    double[] values = new double[width];
    for (int i = 0; i < width; i++) {
      values[i] = sums[at + i] / members.size();
    }
    return bounds.action(values);
  }
}
