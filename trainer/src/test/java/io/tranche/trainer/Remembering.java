package io.tranche.trainer;

import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.DivergenceException;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.weights.KeyMap;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Weights;
import io.tranche.trainer.Walk.Seen;
import java.util.List;
import java.util.Map;

/// An off-policy algorithm of three weights: moves each towards the mean reward of its action over
/// the whole replay buffer, with a state of its own and some noise.
final class Remembering implements Algorithm<Seen>, Agent<Seen> {

  private final Weights weights = new Weights();
  private final float[] momentum = new float[3];
  private double updates;
  private final double diverges;
  int lastSteps;
  int lastShared;

  Remembering() {
    this(Double.POSITIVE_INFINITY);
  }

  /// @param diverges after how many updates it does
  Remembering(double diverges) {
    weights.vector("values", 3);
    this.diverges = diverges;
  }

  @Override
  public Agent<Seen> agent() {
    return this;
  }

  @Override
  public PolicyWeights weights() {
    return new PolicyWeights(List.of(new PolicyWeights.Part(weights, KeyMap.OWN)));
  }

  @Override
  public Policy<Seen> newPolicy(int maxRows) {
    return (observations, keys, mode) -> {
      var actions = new Action[observations.size()];
      for (int row = 0; row < actions.length; row++) {
        double draw = RandomTree.uniform(keys[row]);
        actions[row] = new Action.Discrete(mode == Policy.Mode.TRAIN ? (int) (3 * draw) : best());
      }
      return actions;
    };
  }

  private int best() {
    float[] values = weights.values();
    return values[0] > Math.max(values[1], values[2]) ? 0 : values[1] > values[2] ? 1 : 2;
  }

  @Override
  public boolean isOffPolicy() {
    return true;
  }

  @Override
  public UpdateReport update(Transitions<Seen> steps, UpdateSettings settings, long key) {
    if (++updates > diverges) {
      throw new DivergenceException("loss/td", 3, Double.NaN);
    }
    lastSteps = steps.size();
    lastShared = 0;
    double loss = 0;
    for (int row = 0; row < steps.size(); row++) {
      int action = steps.choice(row);
      double error = steps.reward(row) + steps.episode(row) * 1e-3 - weights.values()[action];
      momentum[action] = (float) (0.9 * momentum[action] + 0.01 * error);
      lastShared += steps.isNextFollowing(row) ? 1 : 0;
      loss += error * error;
    }
    var random = RandomTree.generator(key);
    for (int i = 0; i < momentum.length; i++) {
      weights.values()[i] += momentum[i] + (float) random.nextDouble() * 1e-3f;
    }
    weights.changed();
    return new UpdateReport(Map.of("loss", List.of(loss / steps.size())));
  }

  @Override
  public AlgorithmState state() {
    return new AlgorithmState(
        new StateDict(Map.of("momentum", Tensor.of(List.of(3), momentum))),
        Map.of("updates", updates));
  }

  @Override
  public void restore(AlgorithmState state) {
    System.arraycopy(state.tensor("momentum").toArray(), 0, momentum, 0, 3);
    updates = state.number("updates");
  }
}
