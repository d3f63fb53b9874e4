package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;
import java.util.Map;

/// The algorithm of an agent that does not learn, such as a rule in a trainer.
public record Untrained<O extends Observation>(Agent<O> agent) implements Algorithm<O> {

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
