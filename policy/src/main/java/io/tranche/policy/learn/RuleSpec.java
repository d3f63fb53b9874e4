package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.RuleAgent;
import io.tranche.policy.weights.StateDict;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes a [RuleAgent], which no algorithm improves.
///
/// @param policy stateless: any number of threads may share it
public record RuleSpec<O extends Observation>(Policy<O> policy) implements AgentSpec<O> {

  @Override
  public Agent<O> create(RandomGenerator random) {
    return new RuleAgent<>(policy);
  }

  @Override
  public Agent<O> load(String where, StateDict weights) {
    var agent = new RuleAgent<>(policy);
    agent.weights().load(where, weights);
    return agent;
  }

  @Override
  public boolean hasNetwork() {
    return false;
  }

  @Override
  public Algorithm<O> algorithm(
      Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    return new Untrained<>(agent);
  }
}
