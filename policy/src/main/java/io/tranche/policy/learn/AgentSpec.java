package io.tranche.policy.learn;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.space.Space;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.StateDict;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes agents and the algorithms that improve them.
public interface AgentSpec<O extends Observation> {

  /// Makes a spec when it is known what the agent is for.
  ///
  /// @param <O> the observation it understands
  @FunctionalInterface
  interface Maker<O extends Observation> {

    /// @param network null if none is configured; only an agent that learns needs one
    /// @throws io.tranche.config.ConfigException if the agent does not go with `context`
    AgentSpec<O> make(Network.@Nullable Factory<O> network, BuildContext context);
  }

  /// Returns `network`.
  ///
  /// @throws ConfigException if there is none
  static <O extends Observation> Network.Factory<O> required(Network.@Nullable Factory<O> network) {
    if (network == null) {
      throw new ConfigException("network", "a network beside the policy", "none");
    }
    return network;
  }

  /// Returns the number of discrete actions.
  ///
  /// @throws ConfigException if actions are not discrete
  static int choices(BuildContext context) {
    if (context.actions() instanceof Space.Discrete(int count)) {
      return count;
    }
    throw new ConfigException(
        "action_interpreter", "one whose actions are discrete", context.actions());
  }

  /// Makes an agent with random weights.
  Agent<O> create(RandomGenerator random);

  /// Makes an agent with given weights.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  Agent<O> load(String where, StateDict weights);

  /// Returns the algorithm that improves `agent`, which this object made.
  ///
  /// @param teacher null for none; must be null unless [#isTeachable]
  /// @param parallel runs the work; the caller closes it
  Algorithm<O> algorithm(Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel);

  /// Whether its algorithm can learn from a teacher.
  default boolean isTeachable() {
    return false;
  }

  /// Whether its weights are those of a network. If not, only [#load] knows what they are.
  default boolean hasNetwork() {
    return true;
  }

  /// Returns the configured file of initial weights; null for random ones.
  default @Nullable String weightFile() {
    return null;
  }

  /// Returns this with an algorithm around its own.
  default AgentSpec<O> improvedBy(UnaryOperator<Algorithm<O>> around) {
    return new SpecAround<>(this, around);
  }
}
