package io.tranche.policy.sac;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.SquashedGaussian;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.StateDict;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes an [ActorCritic] without its critic, and [Sac], which has two of its own, to improve it.
///
/// @param actions the distribution of actions
/// @param weightFile the initial weights; null for random ones
public record SacSpec<O extends Observation>(
    Network.Factory<O> network,
    SquashedGaussian actions,
    SacConfig config,
    @Nullable String weightFile)
    implements AgentSpec<O> {

  /// Returns the maker of such agents, with random initial weights.
  public static <O extends Observation> AgentSpec.Maker<O> maker(SacConfig config) {
    return (network, context) ->
        new SacSpec<>(AgentSpec.required(network), actions(config, context), config, null);
  }

  private static SquashedGaussian actions(SacConfig config, BuildContext context) {
    if (ActionDistribution.over(context.actions(), Head.GAUSSIAN, config.invalidActions())
        instanceof SquashedGaussian made) {
      return made;
    }
    throw new ConfigException(
        "action_interpreter",
        "one whose actions are numbers with finite bounds",
        context.actions());
  }

  @Override
  public ActorCritic<O> create(RandomGenerator random) {
    return ActorCritic.createActor(network, actions, random);
  }

  @Override
  public ActorCritic<O> load(String where, StateDict weights) {
    return ActorCritic.loadActor(network, actions, where, weights);
  }

  @Override
  public Sac<O> algorithm(Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    if (!(agent instanceof ActorCritic<O> actor)) {
      throw new IllegalArgumentException(
          "agent must be an ActorCritic, was " + agent.getClass().getSimpleName());
    }
    return new Sac<>(actor, actions, network, config, parallel);
  }
}
