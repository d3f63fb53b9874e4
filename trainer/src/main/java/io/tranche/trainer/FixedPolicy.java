package io.tranche.trainer;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.weights.StateDict;
import io.tranche.tensor.Weights;
import java.util.Map;

/// An algorithm that learns nothing, for a policy that is only to be tested.
record FixedPolicy<O extends Observation>(Policy<O> policy, Weights weights)
    implements Algorithm<O> {

  FixedPolicy(Policy<O> policy) {
    this(policy, new Weights());
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return policy;
  }

  @Override
  public boolean isOffPolicy() {
    return false;
  }

  @Override
  public UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
    return new UpdateReport(Map.of());
  }

  @Override
  public AlgorithmState state() {
    return new AlgorithmState(new StateDict(Map.of()), Map.of());
  }

  @Override
  public void restore(AlgorithmState state) {}
}
