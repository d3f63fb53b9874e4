package io.tranche.policy.ppo;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.StateDict;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes an [ActorCritic], and [Ppo] to improve it.
///
/// @param actions the distribution of actions
/// @param weightFile the initial weights; null for random ones
public record PpoSpec<O extends Observation>(
    Network.Factory<O> network,
    ActionDistribution actions,
    PpoConfig config,
    @Nullable String weightFile)
    implements AgentSpec<O> {

  /// Returns the maker of such agents, with random initial weights.
  public static <O extends Observation> AgentSpec.Maker<O> maker(PpoConfig config) {
    return (network, context) ->
        new PpoSpec<>(AgentSpec.required(network), actions(config, context), config, null);
  }

  private static ActionDistribution actions(PpoConfig config, BuildContext context) {
    ActionDistribution made =
        ActionDistribution.over(context.actions(), config.head(), config.invalidActions());
    if (made == null) {
      throw new ConfigException(
          "action_interpreter",
          "one whose actions are choices, or numbers with finite bounds",
          context.actions());
    }
    return made;
  }

  @Override
  public ActorCritic<O> create(RandomGenerator random) {
    return ActorCritic.create(network, actions, config.deterministicEvaluation(), random);
  }

  @Override
  public ActorCritic<O> load(String where, StateDict weights) {
    return ActorCritic.load(network, actions, config.deterministicEvaluation(), where, weights);
  }

  @Override
  public boolean isTeachable() {
    return true;
  }

  @Override
  public Ppo<O> algorithm(Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    if (!(agent instanceof ActorCritic<O> actorCritic)) {
      throw new IllegalArgumentException(
          "agent must be an ActorCritic, was " + agent.getClass().getSimpleName());
    }
    return new Ppo<>(actorCritic, config, teacher, parallel);
  }
}
