package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.StateDict;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The agents of another spec, improved by an algorithm around the other's.
record SpecAround<O extends Observation>(AgentSpec<O> inner, UnaryOperator<Algorithm<O>> around)
    implements AgentSpec<O> {

  @Override
  public Agent<O> create(RandomGenerator random) {
    return inner.create(random);
  }

  @Override
  public Agent<O> load(String where, StateDict weights) {
    return inner.load(where, weights);
  }

  @Override
  public Algorithm<O> algorithm(
      Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    return around.apply(inner.algorithm(agent, teacher, parallel));
  }

  @Override
  public boolean hasNetwork() {
    return inner.hasNetwork();
  }

  @Override
  public boolean isTeachable() {
    return inner.isTeachable();
  }

  @Override
  public @Nullable String weightFile() {
    return inner.weightFile();
  }
}
