package io.tranche.policy.dqn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.StateDict;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes a [ValueAgent], and [Dqn] to improve it.
///
/// @param choices number of actions
/// @param weightFile the initial weights; null for random ones
public record DqnSpec<O extends Observation>(
    Network.Factory<O> network, int choices, DqnConfig config, @Nullable String weightFile)
    implements AgentSpec<O> {

  /// Returns the maker of such agents, with random initial weights.
  public static <O extends Observation> AgentSpec.Maker<O> maker(DqnConfig config) {
    return (network, context) ->
        new DqnSpec<>(AgentSpec.required(network), AgentSpec.choices(context), config, null);
  }

  @Override
  public ValueAgent<O> create(RandomGenerator random) {
    return ValueAgent.create(
        network, config.values(choices), hasTarget(), config.exploration(), random);
  }

  @Override
  public ValueAgent<O> load(String where, StateDict weights) {
    return ValueAgent.load(
        network, config.values(choices), hasTarget(), config.exploration(), where, weights);
  }

  private boolean hasTarget() {
    return config.targetInterval() > 0;
  }

  @Override
  public Dqn<O> algorithm(Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    if (!(agent instanceof ValueAgent<O> values)) {
      throw new IllegalArgumentException(
          "agent must be a ValueAgent, was " + agent.getClass().getSimpleName());
    }
    return new Dqn<>(values, config, parallel);
  }
}
