package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.StateDict;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What an agent is made of, and which algorithm improves it.
public interface AgentSpec<O extends Observation> {

  /// Makes an agent and draws all its weights.
  Agent<O> create(RandomGenerator random);

  /// Makes an agent with given weights.
  ///
  /// @param where what to call the weights in errors
  /// @throws io.tranche.policy.weights.CheckpointException if they are those of another model
  Agent<O> load(String where, StateDict weights);

  /// Returns what improves `agent`, which this made.
  ///
  /// @param teacher null for none, which it is unless [#isTeachable]
  /// @param parallel does the work; stays the caller's
  Algorithm<O> algorithm(Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel);

  /// Whether its algorithm can learn from a teacher.
  default boolean isTeachable() {
    return false;
  }

  /// Returns the file that the configuration names for the first weights; null to draw them.
  default @Nullable String weightFile() {
    return null;
  }
}
