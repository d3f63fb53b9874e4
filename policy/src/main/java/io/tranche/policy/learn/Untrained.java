package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.experience.Transitions;
import io.tranche.tensor.Weights;
import java.util.Map;

/// A policy with nothing to learn where an algorithm is asked for, such as
/// [io.tranche.env.AllOne] in a trainer.
///
/// @param <O> the observation
public final class Untrained<O extends Observation> implements Algorithm<O> {

  private final Policy<O> policy;
  private final Weights none = new Weights();

  /// @param policy stateless: any number of threads may share it
  public Untrained(Policy<O> policy) {
    this.policy = policy;
  }

  @Override
  public Weights weights() {
    return none;
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
    return AlgorithmState.NOTHING;
  }

  @Override
  public void restore(AlgorithmState state) {}
}
