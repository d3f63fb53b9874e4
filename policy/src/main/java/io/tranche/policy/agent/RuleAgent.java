package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.weights.PolicyWeights;
import java.util.List;

/// An agent without weights.
///
/// @param policy stateless: any number of threads may share it
public record RuleAgent<O extends Observation>(Policy<O> policy) implements Agent<O> {

  @Override
  public PolicyWeights weights() {
    return new PolicyWeights(List.of());
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return policy;
  }
}
